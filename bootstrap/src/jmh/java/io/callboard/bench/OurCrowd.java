package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.bench.Signal.More;
import io.vertx.core.Future;

/** Volatile actors, spawned by plain code, each with a path of its own. */
final class OurCrowd extends Crowd {
  private final Callboard callboard;
  private final ActorOptions options = new ActorOptions().onBus(false);
  private int present;

  OurCrowd(Node node) {
    callboard = node.callboard();
  }

  private final class Idler extends Actor<More> {
    @Override
    protected void protocol(Protocol<More> on) {
      on.message(More.class, more -> {});
    }

    @Override
    protected Future<?> started() {
      hasStarted();
      return super.started();
    }
  }

  @Override
  void spawn(int count) throws Exception {
    present = count;
    each(count, number -> callboard.spawn(path(number), () -> new Idler(), options));
  }

  @Override
  void disperse() throws Exception {
    each(present, number -> callboard.stop(path(number)));
  }

  private static String path(int number) {
    return "/crowd/idler-" + number;
  }
}
