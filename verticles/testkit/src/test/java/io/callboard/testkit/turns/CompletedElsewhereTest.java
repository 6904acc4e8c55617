package io.callboard.testkit.turns;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A handler whose future another thread completes before the handler has returned. */
class CompletedElsewhereTest {
  @RegisterExtension final Stage stage = new Stage();

  record Get(int value) {}

  record Got(int value) {}

  private static Future<?> answered(Vertx vertx, Get get, Consumer<Got> reply) {
    Promise<Got> promise = ((ContextInternal) vertx.getOrCreateContext()).promise();
    Future<Got> answered = promise.future().onSuccess(reply::accept);
    Thread other = new Thread(() -> promise.complete(new Got(get.value())));
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(answered.isComplete()).isTrue();
    return answered;
  }

  private static final class Volatile extends Actor<Get> {
    @Override
    protected void protocol(Protocol<Get> on) {
      on.async(Get.class, get -> answered(vertx, get, this::reply));
    }
  }

  private static final class Durable extends DurableStateActor<Get, Got> {
    @Override
    protected Got initial() {
      return new Got(0);
    }

    @Override
    protected void protocol(Protocol<Get> on) {
      on.async(
          Get.class,
          get ->
              answered(
                  vertx,
                  get,
                  got -> {
                    update(got);
                    reply(got);
                  }));
    }
  }

  @Test
  void itsTurnWaitsForItsCallbacks() throws Exception {
    ActorRef<Get> here = await(stage.callboard.spawn("/elsewhere/here", Volatile::new));
    ActorRef<Get> kept =
        await(stage.callboard.spawn("/elsewhere/kept", Durable::new, new ActorOptions()));
    for (int i = 1; i <= 20; i++) {
      assertThat(await(here.ask(new Get(i), Got.class)).value()).isEqualTo(i);
      assertThat(await(kept.ask(new Get(i), Got.class)).value()).isEqualTo(i);
    }
    assertThat(await(stage.callboard.admin().failures("/elsewhere/here"))).isEmpty();
    assertThat(await(stage.callboard.admin().failures("/elsewhere/kept"))).isEmpty();
  }
}
