package io.callboard.pollers.internal.poll;

import io.callboard.pollers.model.SourceRates;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.time.Machine;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Counts of a poller since it began. */
@Machine
final class PollerCounts {
  private final RateCounter taken;
  private final RateCounter completed;
  private final RateCounter failed;
  private final RateCounter dead;
  private long released;
  private long lost;
  private long emitted;
  private @Nullable Instant polledAt;
  private @Nullable Instant ackedAt;
  private @Nullable String error;
  private @Nullable Instant errorAt;

  PollerCounts(Instant now) {
    taken = new RateCounter(now);
    completed = new RateCounter(now);
    failed = new RateCounter(now);
    dead = new RateCounter(now);
  }

  void polled(int count, Instant now) {
    taken.add(count, now);
    polledAt = now;
  }

  void completed(int count, Instant now) {
    completed.add(count, now);
    ackedAt = now;
  }

  void failed(Instant now) {
    failed.add(1, now);
  }

  void dead(Instant now) {
    dead.add(1, now);
  }

  void released(int count) {
    released += count;
  }

  void lost(int count) {
    lost += count;
  }

  void emitted() {
    emitted++;
  }

  void error(String what, Instant now) {
    error = what;
    errorAt = now;
  }

  SourceTotals totals() {
    return new SourceTotals(
        taken.total(), completed.total(), failed.total(), dead.total(), released, lost, emitted);
  }

  SourceRates rates(Instant now) {
    return new SourceRates(taken.rate(now), completed.rate(now), failed.rate(now), dead.rate(now));
  }

  @Nullable Instant polledAt() {
    return polledAt;
  }

  @Nullable Instant ackedAt() {
    return ackedAt;
  }

  @Nullable String error() {
    return error;
  }

  @Nullable Instant errorAt() {
    return errorAt;
  }
}
