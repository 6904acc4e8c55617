package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.time.Time.Alarm;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  private static final Duration SOON = Duration.ofMillis(20);

  private final Vertx vertx = Vertx.vertx();
  private final Watchdog watchdog = new Watchdog("n1");
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    held.countDown();
    watchdog.end();
    assertThat(vertx.close().await(20, TimeUnit.SECONDS)).isNull();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTaskThatIsDueAndWaitsForItsContextCanBeCancelled() {
    ContextInternal worker =
        ((VertxInternal) vertx).contextBuilder().withThreadingModel(ThreadingModel.WORKER).build();
    worker.runOnContext(v -> await(held));
    AtomicBoolean ran = new AtomicBoolean();
    Alarm alarm = watchdog.after(worker, SOON, () -> ran.set(true));
    CountDownLatch due = new CountDownLatch(1);
    Alarm unused = watchdog.later(SOON.plusMillis(1), due::countDown);
    await(due); // so is the alarm, before it
    alarm.cancel();
    held.countDown();
    CountDownLatch after = new CountDownLatch(1);
    worker.runOnContext(v -> after.countDown());
    await(after);
    assertThat(ran).isFalse();
  }
}
