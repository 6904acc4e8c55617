package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Causes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Outcome of a commit: applied, refused or unknown. */
public sealed interface CommitOutcome {
  /**
   * Applied; each written record's version is now one higher (a new one's is 0).
   *
   * @param appended the sequence number of the segment that each receiver got
   */
  record Applied(Map<ActorPath, Long> appended) implements CommitOutcome {
    /** Creates an outcome; the map is copied in its order. */
    public Applied {
      // in its order: what a seed decides must not hang on a hash that differs by process
      appended = Collections.unmodifiableMap(new LinkedHashMap<>(appended));
    }
  }

  /**
   * Refusal of the whole commit because of one unit.
   *
   * @param unit its index; -1 if it is the whole commit's ({@link Reason#INCARNATION}, {@link
   *     Reason#AGAIN}), or not known
   * @param detail names the culprit
   * @param whenFull the receiver's policy, if the reason is {@link Reason#FULL}
   * @param receiver the one receiver to which a message cannot be sent, though to others it could:
   *     its mailbox cannot be read ({@link Reason#CORRUPT}) or written ({@link Reason#DENIED}), or
   *     the blob of a message to it is gone ({@link Reason#STALE}); empty for another cause
   */
  record Refused(
      int unit, Reason reason, String detail, WhenFull whenFull, Optional<ActorPath> receiver)
      implements CommitOutcome {
    /** Creates a refusal that is not for the sake of one receiver. */
    public Refused(int unit, Reason reason, String detail, WhenFull whenFull) {
      this(unit, reason, detail, whenFull, Optional.empty());
    }

    /**
     * Creates a refusal for another reason than {@link Reason#FULL}, or with an unknown policy of
     * the receiver.
     */
    public Refused(int unit, Reason reason, String detail) {
      this(unit, reason, detail, WhenFull.WAIT);
    }

    /** Returns the refusal of a unit whose receiver's mailbox cannot be read. */
    public static Refused corrupt(int unit, ActorPath receiver, String why) {
      String detail = "the mailbox of %s cannot be read: %s".formatted(receiver, why);
      return to(receiver, unit, Reason.CORRUPT, detail);
    }

    /** Returns the refusal of a unit for the sake of one receiver. */
    public static Refused to(ActorPath receiver, int unit, Reason reason, String detail) {
      return new Refused(unit, reason, detail, WhenFull.WAIT, Optional.of(receiver));
    }

    /** Returns the refusal of a unit that names a blob which is gone. */
    public static Refused lacking(BlobKey key, int unit) {
      return to(key.receiver(), unit, Reason.STALE, key + " is gone");
    }

    /**
     * Returns the refusal of a commit for a failure before anything was sent.
     *
     * @throws VirtualMachineError if that is the cause, such as a lack of memory: it is not the
     *     commit's fault
     */
    public static Refused unsendable(Throwable cause) {
      if (cause instanceof VirtualMachineError error) {
        throw error;
      }
      return new Refused(-1, Reason.UNSENDABLE, Causes.text(cause));
    }
  }

  /**
   * Unknown: the connection broke before the answer. {@link Store#renew} finds out; until then
   * every commit is refused as {@link Reason#INCARNATION}.
   */
  record Unknown(Throwable cause) implements CommitOutcome {}

  /** Reason for which a commit was refused. */
  enum Reason {
    /** The node's incarnation or commit number is not current: renew, look, send again. */
    INCARNATION,
    /**
     * The commit itself is valid: an earlier commit of this node was not applied, or the store's
     * cache was out of date. Send it again, after those before it.
     */
    AGAIN,
    /** The partition has another owner: discard the computed changes and the actor. */
    FENCED,
    /** The actor's record, journal or mail is not as it was read: load it again. */
    STALE,
    /** A receiver has no mailbox, the detail is its path: create it and send again. */
    NO_MAILBOX,
    /** A receiver's mailbox is full, the detail is its path. */
    FULL,
    /** The unit, or the commit as a whole, exceeds the store's limits. */
    TOO_LARGE,
    /** Refused by the store's access control: terminal. */
    DENIED,
    /** A receiver's mailbox is damaged, the detail says how: an operator must repair it. */
    CORRUPT,
    /**
     * The commit cannot be encoded or made ready to be sent: nothing was sent. The detail says why.
     */
    UNSENDABLE
  }
}
