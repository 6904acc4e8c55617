package io.callboard.pollers.source;

import java.util.Locale;
import java.util.Optional;

/** Moment at which a test of the contract kills a client, and what then becomes of its message. */
enum KillPoint {
  DURING_POLL(Fate.BACK),
  AFTER_POLL(Fate.BACK),
  AFTER_EXTEND(Fate.BACK),
  DURING_COMPLETE(Fate.EITHER),
  AFTER_COMPLETE(Fate.GONE),
  AFTER_COMPLETE_OUT_OF_ORDER(Fate.GONE),
  DURING_FAIL(Fate.BACK),
  AFTER_FAIL(Fate.BACK),
  DURING_DEAD(Fate.EITHER),
  AFTER_DEAD(Fate.GONE),
  DURING_RELEASE(Fate.BACK),
  AFTER_RELEASE(Fate.BACK);

  /** What becomes of the message. */
  enum Fate {
    /** It is delivered again. */
    BACK,
    /** It is never delivered again. */
    GONE,
    /** It may be delivered again, because the answer may be lost. */
    EITHER
  }

  private final Fate fate;

  KillPoint(Fate fate) {
    this.fate = fate;
  }

  Fate fate() {
    return fate;
  }

  /** Returns it in words. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  boolean isDead() {
    return this == DURING_DEAD || this == AFTER_DEAD;
  }

  /** Returns what a system must not lack that is tested there. */
  Optional<SourceStage.Lack> needs() {
    if (isDead()) {
      return Optional.of(SourceStage.Lack.ASIDE);
    }
    return isRelease() ? Optional.of(SourceStage.Lack.RELEASE) : Optional.empty();
  }

  boolean isRelease() {
    return this == DURING_RELEASE || this == AFTER_RELEASE;
  }
}
