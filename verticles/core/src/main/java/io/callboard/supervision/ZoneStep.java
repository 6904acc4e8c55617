package io.callboard.supervision;

import java.time.Duration;

/** What a {@link ZoneSupervisor} says is to be done, in that order. */
sealed interface ZoneStep {
  /**
   * {@link ZoneSupervisor#started}, {@link ZoneSupervisor#failed} or {@link ZoneSupervisor#ended}
   * follows.
   */
  record Start(String child) implements ZoneStep {}

  /** {@link ZoneSupervisor#stopped} follows, within a bounded time. */
  record Stop(String child) implements ZoneStep {}

  /** It failed and is started again after that time; {@code times} in a row, so far. */
  record Wait(String child, Throwable cause, Duration delay, long times) implements ZoneStep {}

  /** What it needs was not there; it is tried again after that time. */
  record Retry(String child, Throwable cause, Duration delay, long times) implements ZoneStep {}

  /**
   * It does not run until it is resumed.
   *
   * @param asked whether an operator wants that
   */
  record Rest(String child, String why, boolean asked) implements ZoneStep {}

  /** What failed it fails the zone. */
  record Escalates(String child) implements ZoneStep {}

  /** It will not run again, and is none of the zone's any more. */
  record Done(String child) implements ZoneStep {}

  /** The zone runs: each child has been started, or at least tried where they are independent. */
  record Up() implements ZoneStep {}

  /** Nothing of the zone runs any more, and the supervisor above is to decide. */
  record Escalate(Throwable cause) implements ZoneStep {}

  /** Nothing of the zone runs any more, as it should be. */
  record Ended() implements ZoneStep {}

  /** Nothing of the zone runs until it is started again by an operator. */
  record RestAll(String why) implements ZoneStep {}
}
