package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.MailboxStatus;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import io.callboard.supervision.InterruptionStreak;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rule about actors that stay interrupted: reported one by one while a node has few of them,
 * otherwise once for the node, since then no single actor is the cause. While the store is away,
 * that is the trouble, and this rule is left out. Pure.
 */
final class InterruptedTroubles {
  private InterruptedTroubles() {}

  /** Returns whether a node has so few such actors that they are listed one by one. */
  static boolean areFew(long actors) {
    return actors <= AttentionRules.MOST_OF_RULE;
  }

  /** Returns the trouble of an actor of this node; empty if there is none. */
  static Optional<Trouble> of(Subject subject, ActorStatus actor) {
    InterruptionStreak streak = actor.interrupted();
    if (streak == null || !streak.isLong()) {
      return Optional.empty();
    }
    MailboxStatus mailbox = actor.mailbox();
    return Optional.of(
        trouble(
            subject,
            streak.since(),
            streak.times(),
            mailbox == null ? actor.queued() : mailbox.depth(),
            actor.lastFailure()));
  }

  /** Returns the trouble of an actor that another node lists as interrupted. */
  static Trouble of(Subject subject, JsonNode row) {
    return trouble(
        subject,
        NodeReport.instant(row, "interruptedSince"),
        row.path("interruptionsInARow").asLong(),
        NodeReport.waiting(row),
        NodeReport.text(row, "lastFailure"));
  }

  private static Trouble trouble(
      Subject subject,
      @Nullable Instant since,
      long times,
      long waiting,
      @Nullable String lastFailure) {
    String mail =
        waiting == 0 ? "" : "; " + ActorTroubles.counted(waiting, "message waits", "messages wait");
    return Trouble.of(
        Rule.STAYS_INTERRUPTED,
        Severity.WARNING,
        subject,
        since,
        "%,d interruptions in a row, the last failure: %s%s"
            .formatted(times, ActorTroubles.cause(lastFailure), mail),
        Action.show("see what is not available to it; it is tried again by itself", subject));
  }

  /** Returns the trouble of this node, if many of its actors stay interrupted. */
  static Optional<Trouble> ofMany(String node, int count, List<ActorStatus> actors) {
    if (areFew(count)) {
      return Optional.empty();
    }
    return actors.stream()
        .filter(InterruptedTroubles::isLong)
        .min(Comparator.comparing(InterruptedTroubles::since))
        .map(
            actor ->
                ofMany(node, count, actor.path().toString(), since(actor), actor.lastFailure()));
  }

  private static boolean isLong(ActorStatus actor) {
    InterruptionStreak streak = actor.interrupted();
    return streak != null && streak.isLong();
  }

  private static Instant since(ActorStatus actor) {
    InterruptionStreak streak = actor.interrupted();
    return streak == null ? Instant.MAX : streak.since();
  }

  /**
   * Returns the trouble of another node, many of whose actors stay interrupted.
   *
   * @param longest row of the one that has been interrupted for longest
   */
  static Trouble ofMany(NodeReport report, long count, JsonNode longest) {
    return ofMany(
        report.node(),
        count,
        report.subject(longest).name(),
        NodeReport.instant(longest, "interruptedSince"),
        NodeReport.text(longest, "lastFailure"));
  }

  private static Trouble ofMany(
      String node,
      long count,
      String longest,
      @Nullable Instant since,
      @Nullable String lastFailure) {
    return Trouble.of(
        Rule.STAYS_INTERRUPTED,
        Severity.WARNING,
        Subject.of(Kind.NODE, node),
        since,
        "%,d of its actors stay interrupted, %s for longest: %s"
            .formatted(count, longest, ActorTroubles.cause(lastFailure)),
        Action.advice("see whether the store answers that node in time; they are tried again"));
  }
}
