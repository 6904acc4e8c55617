package io.callboard.internal.outbox;

import io.callboard.delivery.Redelivery;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Backoff.Jitter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Deliveries that are tried three times, after one, two and four seconds. */
record TestDeliveries(LongSupplier nowMs) {
  static final Redelivery POLICY =
      new Redelivery(
          Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1), Jitter.NONE), 3);

  OutboxDeliveries machine() {
    return new OutboxDeliveries(
        POLICY,
        given -> given.why().getBytes(StandardCharsets.UTF_8),
        nowMs,
        new SplittableRandom(1));
  }
}
