package io.callboard.internal.failurezone;

import io.callboard.supervision.Causes;
import io.callboard.supervision.Directive;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Step that a {@link FailureZoneMachine} wants carried out; several in their order. */
public sealed interface FailureZoneStep {
  /**
   * Start the child; {@link FailureZoneMachine#started}, {@link FailureZoneMachine#failed} or
   * {@link FailureZoneMachine#ended} follows.
   */
  record Start(String child) implements FailureZoneStep {}

  /** Stop the child; {@link FailureZoneMachine#stopped} follows, within a bounded time. */
  record Stop(String child) implements FailureZoneStep {}

  /** The stop of the child is to wait for nothing: a zone stops all its own children at once. */
  record Force(String child) implements FailureZoneStep {}

  /** The child failed and is started again after that time; {@code times} in a row, so far. */
  record Wait(String child, Throwable cause, Duration delay, long times)
      implements FailureZoneStep {}

  /** New attempt of a child that needed something unavailable, after that time. */
  record Retry(String child, Throwable cause, Duration delay, long times)
      implements FailureZoneStep {}

  /**
   * The child rests until it is resumed.
   *
   * @param asked whether an operator wants that
   */
  record Rest(String child, String why, boolean asked) implements FailureZoneStep {}

  /**
   * The child failed, and does not begin again by itself: its zone ends with that failure, or was
   * about to stop it anyway.
   *
   * @param decided the decision about the child
   */
  record Falls(String child, Throwable cause, Directive decided) implements FailureZoneStep {}

  /** An operator resumed the child: it begins again as soon as what it needs runs. */
  record Resumed(String child) implements FailureZoneStep {}

  /**
   * Wait of a child for a sibling that it needs: it does not begin before that sibling is resumed.
   * If it still runs, its stop follows.
   *
   * @param resting the sibling; null if it no longer waits for one
   */
  record Needs(String child, @Nullable String resting) implements FailureZoneStep {}

  /** The child will not run again, and no longer belongs to the zone. */
  record Done(String child) implements FailureZoneStep {}

  /** The zone runs: each child has been started, or at least tried where they are independent. */
  record Up() implements FailureZoneStep {}

  /** The zone has failed: nothing of it runs any more, and the supervisor above decides. */
  record Escalate(Throwable cause) implements FailureZoneStep {}

  /** The zone has stopped: nothing of it runs any more. */
  record Ended() implements FailureZoneStep {}

  /**
   * The zone rests until an operator starts it again.
   *
   * @param child whose failure was one too many
   */
  record RestAll(String why, String child, Throwable cause) implements FailureZoneStep {
    /** Returns the failure of the zone. */
    public IllegalStateException asCause() {
      return new IllegalStateException(
          "%s; the last was %s: %s".formatted(why, child, Causes.text(cause)), cause);
    }
  }
}
