package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailboxStatus;
import io.callboard.supervision.FailureStreak;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rule about actors and failure zones that fail again and again, whatever they do between two
 * failures. Pure.
 *
 * @param runs whether it runs just now
 * @param waiting number of messages that wait for it
 * @param next time of its next start; null if it does not wait for that, or it is not known
 */
record FailingTroubles(
    Subject subject,
    FailureStreak streak,
    boolean runs,
    long waiting,
    @Nullable String lastFailure,
    @Nullable Instant lastFailureAt,
    @Nullable Instant next) {

  /** Returns the trouble of an actor of this node; empty if there is none. */
  static Optional<Trouble> of(Subject subject, ActorStatus actor, Instant now) {
    MailboxStatus mailbox = actor.mailbox();
    return of(
        subject,
        actor.failing(),
        actor.state() == ActorStatus.State.RUNNING,
        mailbox == null ? actor.queued() : mailbox.depth(),
        actor.lastFailure(),
        actor.lastFailureAt(),
        actor.nextAttempt(),
        now);
  }

  /** Returns the trouble of a failure zone of this node; empty if there is none. */
  static Optional<Trouble> of(Subject subject, FailureZoneStatus zone, Instant now) {
    return of(
        subject,
        zone.failing(),
        zone.state() == FailureZoneStatus.State.RUNNING,
        0,
        zone.lastFailure(),
        zone.lastFailureAt(),
        zone.nextAttempt(),
        now);
  }

  /** Returns the trouble of an actor or failure zone of another node; empty if there is none. */
  static Optional<Trouble> of(Subject subject, JsonNode row, Instant now) {
    Instant since = NodeReport.instant(row, "failingSince");
    return of(
        subject,
        since == null ? null : new FailureStreak(since, row.path("failuresInARow").asLong()),
        row.path("state").asText().equals(ActorStatus.State.RUNNING.name()),
        NodeReport.waiting(row),
        NodeReport.text(row, "lastFailure"),
        NodeReport.instant(row, "lastFailureAt"),
        NodeReport.instant(row, "nextAttempt"),
        now);
  }

  private static Optional<Trouble> of(
      Subject subject,
      @Nullable FailureStreak streak,
      boolean runs,
      long waiting,
      @Nullable String lastFailure,
      @Nullable Instant lastFailureAt,
      @Nullable Instant next,
      Instant now) {
    return Optional.ofNullable(streak)
        .map(
            of -> new FailingTroubles(subject, of, runs, waiting, lastFailure, lastFailureAt, next))
        .filter(each -> each.keepsFailing(now))
        .map(each -> each.trouble(now));
  }

  /**
   * Returns whether it keeps failing: one that runs, has not failed for long, and for which nothing
   * waits is in no trouble that is known of; its next failure shows it again, if it has not worked
   * before.
   */
  private boolean keepsFailing(Instant now) {
    boolean isIdle =
        runs && waiting == 0 && (lastFailureAt == null || ActorTroubles.isLong(lastFailureAt, now));
    return streak.failures() > 1 && ActorTroubles.isLong(streak.since(), now) && !isIdle;
  }

  private Trouble trouble(Instant now) {
    boolean isFar = next != null && ActorTroubles.isLong(now, next);
    String mail =
        waiting == 0 ? "" : "; " + ActorTroubles.counted(waiting, "message waits", "messages wait");
    String until =
        next != null && isFar
            ? "; the next attempt is at " + next.truncatedTo(ChronoUnit.SECONDS)
            : "";
    return Trouble.of(
        Rule.KEEPS_FAILING,
        Severity.WARNING,
        subject,
        streak.since(),
        "%,d failures since it last ran well, the last: %s%s%s"
            .formatted(streak.failures(), ActorTroubles.cause(lastFailure), mail, until),
        isFar
            ? Action.resume(subject)
            : Action.show("mend why it fails; it is started again by itself", subject));
  }
}
