package io.callboard.internal.inmemory;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Access of one life of a volatile actor to the stash. Ends when the stash is handed over to the
 * next life: a handler that still runs then, in a life that was left behind, neither sees nor
 * changes what the next life has. Thread-safe.
 */
final class LifeStash implements Supplier<Stash> {
  private final VolatileMail mail;
  private @Nullable Stash used;
  private boolean handedOver;

  LifeStash(VolatileMail mail) {
    this.mail = mail;
  }

  /** The stash of the actor; after the hand-over one that is empty and takes nothing. */
  @Override
  public synchronized Stash get() {
    if (used == null) {
      used = handedOver ? mail.closedStash() : mail.stash();
    }
    return used;
  }

  /** Hands the stash to the next life, while the timers of this one still run; once. */
  synchronized void handOver() {
    if (!handedOver) {
      handedOver = true;
      mail.outlive();
    }
  }
}
