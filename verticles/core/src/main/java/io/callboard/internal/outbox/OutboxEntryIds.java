package io.callboard.internal.outbox;

import io.callboard.store.Loaded;
import io.callboard.store.StoredRecord;
import java.time.Instant;

/**
 * Ids of the outbox entries that an actor makes itself: durable timers and deliveries. The record
 * holds the last durable one. A new actor has none, and begins with the time: so one that was
 * deleted, with its record, does not repeat an id when it comes back. Used on the actor's context.
 */
public final class OutboxEntryIds {
  private static final long YEAR_2026_MS = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  /** Bits for the ids of one millisecond: more than any actor gives. */
  private static final int TIME_BITS = 8;

  private long last;

  /**
   * @param nowMs the wall clock
   */
  public OutboxEntryIds(Loaded loaded, long nowMs) {
    long given = loaded.record().map(StoredRecord::record).map(record -> record.given()).orElse(0L);
    long time = Math.max(1, nowMs - YEAR_2026_MS) << TIME_BITS;
    this.last = given > 0 ? given : time;
  }

  public long next() {
    return ++last;
  }
}
