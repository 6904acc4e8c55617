package io.callboard.internal.metrics;

import io.callboard.admin.CommitCounts;
import io.callboard.admin.Distribution;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.Limits;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counters behind {@link CommitCounts}; written on one thread, read from any. */
public final class CommitMeter {
  /** Number of commits over which the typical latency is averaged, about. */
  private static final int RECENT = 8;

  private final LongSupplier nanoTime;
  private final LongAdder operations = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder renewals = new LongAdder();
  private final LongAdder heldBack = new LongAdder();
  private final LongAdder[] refused = new LongAdder[Reason.values().length];
  private final Histogram latency = Histogram.ofNanos();
  private final Histogram unitsPerCommit =
      Histogram.ofPowers(Integer.highestOneBit(Limits.COMMIT_OPERATIONS) * 2);
  private volatile int waiting;
  private volatile long typicalNanos;

  /**
   * @param nanoTime a monotonic clock
   */
  public CommitMeter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    Arrays.setAll(refused, i -> new LongAdder());
  }

  /**
   * Counts a commit that is sent now.
   *
   * @return the argument for {@link #landed}
   */
  public long leaves() {
    return nanoTime.getAsLong();
  }

  /** Counts a commit that came back. */
  public void landed(
      long leftNanos, CommitOutcome outcome, int units, int itsOperations, long itsBytes) {
    if (outcome instanceof Applied) {
      long nanos = nanoTime.getAsLong() - leftNanos;
      latency.record(nanos);
      long before = typicalNanos;
      typicalNanos = before + (nanos - before) / RECENT;
      unitsPerCommit.record(units);
      operations.add(itsOperations);
      bytes.add(itsBytes);
    } else if (outcome instanceof Refused because) {
      refused[because.reason().ordinal()].increment();
    } else {
      unknown.increment();
    }
  }

  /** Returns the latency of the last commits, averaged with falling weights; 0 before the first. */
  public long typicalNanos() {
    return typicalNanos;
  }

  public void renewed() {
    renewals.increment();
  }

  public void heldBack() {
    heldBack.increment();
  }

  public void waiting(int units) {
    waiting = units;
  }

  public CommitCounts snapshot() {
    Map<Reason, Long> byReason = new EnumMap<>(Reason.class);
    for (Reason reason : Reason.values()) {
      byReason.put(reason, refused[reason.ordinal()].sum());
    }
    Distribution units = unitsPerCommit.snapshot();
    return new CommitCounts(
        units.sum(),
        operations.sum(),
        bytes.sum(),
        unknown.sum(),
        byReason,
        renewals.sum(),
        heldBack.sum(),
        waiting,
        latency.snapshot(),
        units);
  }
}
