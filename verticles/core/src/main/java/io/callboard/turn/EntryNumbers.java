package io.callboard.turn;

import io.callboard.store.Loaded;
import io.callboard.store.StoredRecord;

/**
 * Numbers for what an actor keeps in its outbox itself: durable timers and deliveries. None is ever
 * given twice, also not after a restart. Used on the actor's context.
 */
final class EntryNumbers {
  /** The least one, above those of messages in the outbox. */
  private static final long FIRST = 1L << 50;

  /**
   * Bits for what one turn begins. The numbers of a life begin with its first turn, so no later
   * life gives one of them again: it begins after as many turns as this one commits.
   */
  private static final int TURN_BITS = 20;

  private long last;

  EntryNumbers(Loaded loaded) {
    long turn = loaded.record().map(StoredRecord::record).map(record -> record.turn()).orElse(0L);
    this.last = FIRST + ((turn + 1) << TURN_BITS);
  }

  long next() {
    return ++last;
  }
}
