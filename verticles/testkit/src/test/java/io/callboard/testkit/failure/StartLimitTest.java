package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A start has one time for all: its wait for a thread, its own code, and what it waits for. */
class StartLimitTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  record Work() {}

  private static final class Slow extends Actor<Work> {
    private final CountDownLatch busy;
    private final Promise<Void> begun;
    private final Promise<Void> returned;

    Slow(CountDownLatch busy, Promise<Void> begun, Promise<Void> returned) {
      this.busy = busy;
      this.begun = begun;
      this.returned = returned;
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> {});
    }

    @Override
    protected Future<?> started() {
      begun.complete();
      try {
        busy.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      context.runOnContext(v -> returned.complete());
      return Promise.promise().future();
    }
  }

  @Test
  void theWaitOfAStartHasTheTimeThatItsCodeHasLeft() throws Exception {
    ManualTime time = new ManualTime();
    Callboard callboard = nodes.open("test", options -> options.time(time));
    CountDownLatch busy = new CountDownLatch(1);
    try {
      Promise<Void> begun = Promise.promise();
      Promise<Void> returned = Promise.promise();
      ActorOptions options =
          new ActorOptions().zone(ZoneDefaults.BLOCKING).startTimeout(Duration.ofSeconds(30));
      Future<ActorRef<Work>> spawned =
          callboard.spawn("/slow", () -> new Slow(busy, begun, returned), options);
      await(begun.future());
      time.advance(Duration.ofSeconds(20));
      busy.countDown();
      await(returned.future());
      time.advance(Duration.ofSeconds(9));
      assertThat(spawned.isComplete()).isFalse();
      time.advance(Duration.ofSeconds(1));
      Throwable cause = await(spawned.transform(done -> Future.succeededFuture(done.cause())));
      assertThat(cause)
          .hasMessageEndingWith(
              "the start of %s did not end within 30000 ms", Slow.class.getName());
    } finally {
      busy.countDown();
    }
  }
}
