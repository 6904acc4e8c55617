package io.callboard.internal.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.Waits;
import io.callboard.time.Time;
import io.callboard.time.Time.Alarm;
import io.vertx.core.Context;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alarms of the times that nodes use: of the event loops, and of the watchdog. */
class AlarmsTest {
  private static final Duration SOON = Duration.ofMillis(20);

  private final Vertx vertx = Vertx.vertx();
  private final CountDownLatch held = new CountDownLatch(1);

  static List<Time> times() {
    return List.of(Time.SYSTEM, new Watchdog("n1"));
  }

  @AfterEach
  void close() throws Exception {
    held.countDown();
    Waits.await(vertx.close());
  }

  private static void end(Time time) {
    if (time instanceof Watchdog watchdog) {
      watchdog.end();
    }
  }

  @ParameterizedTest
  @MethodSource("times")
  void aTaskThatIsDueAndWaitsForItsContextCanBeCancelled(Time time) {
    ContextInternal worker =
        ((VertxInternal) vertx).contextBuilder().withThreadingModel(ThreadingModel.WORKER).build();
    Context free =
        ((VertxInternal) vertx).contextBuilder().withEventLoop(worker.nettyEventLoop()).build();
    worker.runOnContext(v -> Waits.opened(held));
    AtomicBoolean ran = new AtomicBoolean();
    Alarm alarm = time.after(worker, SOON, () -> ran.set(true));
    CountDownLatch due = new CountDownLatch(1);
    Alarm unused = time.after(free, SOON.plusMillis(1), due::countDown);
    Waits.opened(due); // so is the alarm, before it
    alarm.cancel();
    held.countDown();
    CountDownLatch after = new CountDownLatch(1);
    worker.runOnContext(v -> after.countDown());
    Waits.opened(after);
    assertThat(ran).isFalse();
    end(time);
  }

  @ParameterizedTest
  @MethodSource("times")
  void aTaskRunsWhenItIsDue(Time time) {
    CountDownLatch ran = new CountDownLatch(1);
    Alarm unused = time.after(vertx.getOrCreateContext(), SOON, ran::countDown);
    Waits.opened(ran);
    end(time);
  }
}
