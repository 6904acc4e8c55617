package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Causes;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A failure that Callboard reports to its users; its {@link Code} says what to do. Those with the
 * codes {@code MAILBOX_FULL}, {@code STOPPED} and {@code TIMEOUT} have no stack trace, because they
 * come by the thousand when a node is overloaded or closes.
 */
public final class CallboardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kinds of failure, as they are also sent between nodes. */
  public enum Code {
    /** The receiver's mailbox, or its zone, is at its limit: try later. */
    MAILBOX_FULL,
    /** The message or state exceeds its limit: make it smaller or pass a reference. */
    PAYLOAD_TOO_LARGE,
    /**
     * The actor's journal holds as many entries as it may, because no snapshot of its state could
     * be made: its log says why.
     */
    JOURNAL_FULL,
    /** The path belongs to no actor that runs anywhere. */
    NO_SUCH_ACTOR,
    /** The message is not, or no longer, parked. */
    NO_SUCH_MESSAGE,
    /** A concurrent operation came first: read again. */
    CONFLICT,
    /** An actor of that path runs already. */
    PATH_TAKEN,
    /**
     * The actor could not be started. Unless its restarts are used up, or its factory made no actor
     * in the first place, its supervisor goes on trying: {@link Callboard#stop} ends that, {@link
     * io.callboard.admin.CallboardAdmin#running} reports the actor's state.
     */
    START_FAILED,
    /**
     * The handler failed; the message is that of its failure. A durable actor tries the message
     * again, so it may still take effect: do not repeat it without an idempotency key.
     */
    HANDLER_FAILED,
    /** The answer did not come in time: the outcome is unknown. */
    TIMEOUT,
    /**
     * A cycle of asks: actors wait in their handlers for each other's answers, so that none could
     * ever answer.
     */
    ASK_CYCLE,
    /** The store cannot be reached. */
    UNAVAILABLE,
    /** The store's access control denies the operation: an operator must act. */
    DENIED,
    /** The message cannot be read, or is not of the protocol. */
    BAD_MESSAGE,
    /** The actor or the node is stopping. */
    STOPPED
  }

  private final Code code;

  /**
   * Creates a failure with a cause; see the class for the codes without a stack trace.
   *
   * @param message the text for users; null for none
   * @param cause the failure behind it; null if there is none
   */
  public CallboardException(Code code, @Nullable String message, @Nullable Throwable cause) {
    super(message, cause, true, hasStack(code));
    this.code = code;
  }

  /**
   * Returns false for codes that are reported to many callers at once, or expected: their stack
   * would be of no use.
   */
  private static boolean hasStack(Code code) {
    return code != Code.MAILBOX_FULL && code != Code.STOPPED && code != Code.TIMEOUT;
  }

  /** Creates a failure without a cause. */
  public CallboardException(Code code, String message) {
    this(code, message, null);
  }

  /** Returns the kind of the failure. */
  public Code code() {
    return code;
  }

  /**
   * Returns whether a failure refuses the message itself ({@code PAYLOAD_TOO_LARGE}, {@code
   * BAD_MESSAGE}): told again, it fails again. Whoever repeats what fails gives it up then, and
   * tells those who wait for it.
   */
  public static boolean refusesMessage(Throwable failure) {
    return failure instanceof CallboardException e
        && (e.code == Code.PAYLOAD_TOO_LARGE || e.code == Code.BAD_MESSAGE);
  }

  /** Returns the {@code MAILBOX_FULL} failure of an actor whose limit is not known here. */
  public static CallboardException mailboxFull(ActorPath actor) {
    return new CallboardException(
        Code.MAILBOX_FULL, "the mailbox of %s is full: try later".formatted(actor));
  }

  /**
   * Returns the {@code MAILBOX_FULL} failure of an actor whose mailbox holds {@code limit}
   * messages.
   */
  public static CallboardException mailboxFull(ActorPath actor, long limit) {
    return new CallboardException(
        Code.MAILBOX_FULL,
        "the mailbox of %s is at its limit of %d messages".formatted(actor, limit));
  }

  /**
   * Returns the {@code MAILBOX_FULL} failure of an actor whose stash holds {@code limit} messages.
   */
  public static CallboardException stashFull(ActorPath actor, long limit) {
    return new CallboardException(
        Code.MAILBOX_FULL,
        "the stash of %s is at its limit of %d messages".formatted(actor, limit));
  }

  /** Returns the {@code MAILBOX_FULL} failure of an actor whose scheduling zone is full. */
  public static CallboardException zoneFull(ActorPath actor, String zone) {
    return new CallboardException(
        Code.MAILBOX_FULL,
        "%s accepts no message now: too many slices wait in zone %s, try later"
            .formatted(actor, zone));
  }

  /**
   * Returns the {@code JOURNAL_FULL} failure of an actor whose journal holds as many entries as it
   * may.
   */
  public static CallboardException journalFull(ActorPath actor, long entries) {
    return new CallboardException(
        Code.JOURNAL_FULL,
        "the journal of %s is at its limit of %d entries, and no snapshot makes any superfluous: give it a snapshot policy, or see in the log why its snapshots fail"
            .formatted(actor, entries));
  }

  /** Returns the {@code TIMEOUT} failure of a message that was not handled before its deadline. */
  public static CallboardException overdue(ActorPath actor) {
    return new CallboardException(
        Code.TIMEOUT, "%s did not handle the message before its deadline".formatted(actor));
  }

  /**
   * Returns the {@code PAYLOAD_TOO_LARGE} failure of a message or state.
   *
   * @param what names it
   * @param bytes its size
   * @param limit the largest size that is allowed, in bytes
   */
  public static CallboardException tooLarge(String what, long bytes, long limit) {
    return new CallboardException(
        Code.PAYLOAD_TOO_LARGE, "%s has %d bytes, the limit is %d".formatted(what, bytes, limit));
  }

  /** Returns the {@code NO_SUCH_ACTOR} failure of a path of which no actor runs in the cell. */
  public static CallboardException noSuchActor(ActorPath actor) {
    return new CallboardException(Code.NO_SUCH_ACTOR, "no actor " + actor + " runs in this cell");
  }

  /** Returns the {@code START_FAILED} failure of an actor, with the cause's message. */
  public static CallboardException startFailed(ActorPath actor, Throwable cause) {
    return new CallboardException(
        Code.START_FAILED,
        "%s could not be started: %s".formatted(actor, Causes.message(cause)),
        Causes.readable(cause));
  }

  /** Returns the {@code TIMEOUT} failure of an ask that was not answered within {@code after}. */
  public static CallboardException timeout(ActorPath actor, Duration after) {
    return new CallboardException(
        Code.TIMEOUT,
        "no answer from %s within %s: the outcome is unknown".formatted(actor, after));
  }

  /**
   * Returns the {@code TIMEOUT} failure of an ask that was not answered within {@code after}.
   *
   * @param why as far as that is known
   */
  public static CallboardException timeout(ActorPath actor, Duration after, String why) {
    return new CallboardException(
        Code.TIMEOUT, "no answer from %s within %s: %s".formatted(actor, after, why));
  }

  /**
   * Returns the {@code ASK_CYCLE} failure of an ask that would close a cycle.
   *
   * @param ring the actors in the order of their asks, the first one again at the end
   */
  public static CallboardException askCycle(List<ActorPath> ring) {
    return new CallboardException(
        Code.ASK_CYCLE,
        "%s: each waits in a handler for the answer of the next, so none can answer; use pipeToSelf for one of these asks"
            .formatted(
                ring.stream().map(ActorPath::toString).collect(Collectors.joining(" asks "))));
  }

  /**
   * Returns the {@code STOPPED} failure of an actor that was deleted while something of its former
   * life was in progress.
   */
  public static CallboardException deleted(ActorPath actor) {
    return new CallboardException(
        Code.STOPPED, "%s was deleted and has begun anew without its state".formatted(actor));
  }

  /**
   * Returns the {@code STOPPED} failure of an actor or a node.
   *
   * @param what names it
   */
  public static CallboardException stopped(String what) {
    return new CallboardException(Code.STOPPED, what + " is stopped");
  }

  /**
   * Returns the {@code UNAVAILABLE} failure of an operation on the store.
   *
   * @param why the message for users
   */
  public static CallboardException unavailable(String why, Throwable cause) {
    return new CallboardException(Code.UNAVAILABLE, why, cause);
  }
}
