package io.callboard.journal;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Policy of the snapshots of a persistent actor: when one is made, and how many are kept.
 * Immutable.
 *
 * <p>A snapshot is written after the turn that calls for it, concurrently with the turns that
 * follow, which do not wait for it. Only one is written at a time. For a predicate see {@link
 * io.callboard.PersistentActor#snapshotWhen}.
 *
 * @param events since the last snapshot; {@link Integer#MAX_VALUE} for no such limit
 * @param bytes of those events as JSON; {@link Long#MAX_VALUE} for no such limit
 * @param after time since the last snapshot, after which the next event calls for one; null for no
 *     such limit
 * @param keep snapshots that are kept, with the events since the oldest of them: if the newest
 *     cannot be read, the one before it is
 */
public record SnapshotPolicy(int events, long bytes, @Nullable Duration after, int keep) {
  /** The default: every 100 events or 128 KiB of them; 2 are kept. */
  public static final SnapshotPolicy DEFAULT = new SnapshotPolicy(100, 128 << 10, null, 2);

  /** Snapshots of one actor. */
  public static final int MOST_KEPT = 100;

  /**
   * Creates a policy.
   *
   * @throws IllegalArgumentException if a number is below 1, {@code after} not positive, or {@code
   *     keep} over {@value #MOST_KEPT}
   */
  public SnapshotPolicy {
    if (events < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a snapshot every %d events or %d bytes: give at least 1".formatted(events, bytes));
    }
    if (after != null && (after.isNegative() || after.isZero())) {
      throw new IllegalArgumentException(
          "a snapshot after %s: give a positive duration".formatted(after));
    }
    if (keep < 1 || keep > MOST_KEPT) {
      throw new IllegalArgumentException(
          "snapshots kept must be 1 to %d, not %d".formatted(MOST_KEPT, keep));
    }
  }

  /** Returns a policy of one snapshot every {@code events} events; 2 are kept. */
  public static SnapshotPolicy every(int events) {
    return new SnapshotPolicy(events, Long.MAX_VALUE, null, DEFAULT.keep);
  }

  /**
   * Returns a policy of no snapshots except those that the actor's predicate calls for; 2 are kept.
   */
  public static SnapshotPolicy never() {
    return every(Integer.MAX_VALUE);
  }

  /** Returns this policy with a snapshot also after that many bytes of events. */
  public SnapshotPolicy orBytes(long limit) {
    return new SnapshotPolicy(events, limit, after, keep);
  }

  /** Returns this policy with a snapshot also at the first event after that time. */
  public SnapshotPolicy orAfter(Duration time) {
    return new SnapshotPolicy(events, bytes, Objects.requireNonNull(time, "time is null"), keep);
  }

  /** Returns this policy with another number of kept snapshots. */
  public SnapshotPolicy keep(int snapshots) {
    return new SnapshotPolicy(events, bytes, after, snapshots);
  }
}
