package io.callboard.internal.supervisor;

import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a {@link FailureZoneMachine} says is to be done, in that order. */
public sealed interface FailureZoneStep {
  /**
   * {@link FailureZoneMachine#started}, {@link FailureZoneMachine#failed} or {@link
   * FailureZoneMachine#ended} follows.
   */
  record Start(String child) implements FailureZoneStep {}

  /** {@link FailureZoneMachine#stopped} follows, within a bounded time. */
  record Stop(String child) implements FailureZoneStep {}

  /** It failed and is started again after that time; {@code times} in a row, so far. */
  record Wait(String child, Throwable cause, Duration delay, long times)
      implements FailureZoneStep {}

  /** What it needs was not there; it is tried again after that time. */
  record Retry(String child, Throwable cause, Duration delay, long times)
      implements FailureZoneStep {}

  /**
   * It does not run until it is resumed.
   *
   * @param asked whether an operator wants that
   */
  record Rest(String child, String why, boolean asked) implements FailureZoneStep {}

  /**
   * It failed, and does not begin again by itself: its zone ends with that failure, or was about to
   * stop it anyway.
   *
   * @param decided what follows for it
   */
  record Falls(String child, Throwable cause, Directive decided) implements FailureZoneStep {}

  /** An operator resumed it: it begins again, as soon as what it needs runs. */
  record Resumed(String child) implements FailureZoneStep {}

  /**
   * Nothing of it runs, and it does not begin before a sibling that it needs is resumed.
   *
   * @param resting the sibling; null if it waits for none any more
   */
  record Needs(String child, @Nullable String resting) implements FailureZoneStep {}

  /** It will not run again, and is none of the zone's any more. */
  record Done(String child) implements FailureZoneStep {}

  /** The zone runs: each child has been started, or at least tried where they are independent. */
  record Up() implements FailureZoneStep {}

  /** Nothing of the zone runs any more, and the supervisor above is to decide. */
  record Escalate(Throwable cause) implements FailureZoneStep {}

  /** Nothing of the zone runs any more, as it should be. */
  record Ended() implements FailureZoneStep {}

  /**
   * Nothing of the zone runs until it is started again by an operator.
   *
   * @param child whose failure was one too many
   */
  record RestAll(String why, String child, Throwable cause) implements FailureZoneStep {
    /** The failure of the zone. */
    IllegalStateException asCause() {
      return new IllegalStateException(
          "%s; the last was %s: %s".formatted(why, child, Failure.text(cause)), cause);
    }
  }
}
