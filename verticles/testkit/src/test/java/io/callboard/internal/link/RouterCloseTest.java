package io.callboard.internal.link;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RouterCloseTest {
  private final Vertx vertx = Vertx.vertx();

  /** Takes nothing. */
  private static final class Nobody implements LocalEndpoint {
    @Override
    public CallboardException deliver(IncomingMessage message, String boot) {
      return CallboardException.stopped("nobody");
    }

    @Override
    public CallboardException pushed(IncomingMessage push, String boot) {
      return CallboardException.stopped("nobody");
    }

    @Override
    public void answered(IncomingMessage answer) {}

    @Override
    public void failed(long number, Code code, String text) {}
  }

  @AfterEach
  void close() {
    await(vertx.close());
  }

  @Test
  void framesThatWaitWhileTheRouterClosesCauseNoWarning() throws Exception {
    NodeRouter router = new NodeRouter((VertxInternal) vertx, "ends", "ends", LinkLimits.DEFAULT);
    await(router.start(new Nobody()));
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    try (LogCapture log = LogCapture.of("io.vertx.core.eventbus")) {
      router.context().runOnContext(v -> hold(held, mayGoOn));
      Waits.opened(held);
      Future<Void> closed = router.close();
      vertx.eventBus().send(Peers.PREFIX + "ends", new byte[] {1});
      mayGoOn.countDown();
      await(closed);
      CountDownLatch after = new CountDownLatch(1);
      router.context().runOnContext(v -> after.countDown());
      Waits.opened(after);
      assertThat(log.lines()).isEmpty();
    } finally {
      mayGoOn.countDown();
    }
  }

  private static void hold(CountDownLatch held, CountDownLatch mayGoOn) {
    held.countDown();
    Waits.opened(mayGoOn);
  }
}
