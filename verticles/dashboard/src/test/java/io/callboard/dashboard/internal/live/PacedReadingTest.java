package io.callboard.dashboard.internal.live;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacedReadingTest {
  @Test
  void aReadingIsTheAnswerForAHundredTimesAsLongAsItTook() {
    Vertx vertx = Vertx.vertx();
    AtomicLong nanos = new AtomicLong();
    AtomicInteger readings = new AtomicInteger();
    PacedReading<Integer> paced =
        new PacedReading<>(
            vertx,
            nanos::get,
            () -> {
              nanos.addAndGet(1_000);
              return Future.succeededFuture(readings.incrementAndGet());
            });
    assertThat(await(paced.get())).isEqualTo(1);
    nanos.addAndGet(99_999);
    assertThat(await(paced.get())).isEqualTo(1);
    nanos.addAndGet(1);
    assertThat(await(paced.get())).isEqualTo(2);
    await(vertx.close());
  }

  @Test
  void thePauseIsLimited() {
    assertThat(PacedReading.dueNanos(0, 10_000_000_000L)).isEqualTo(40_000_000_000L);
  }
}
