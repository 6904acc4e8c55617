package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.MailboxStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Durable mailboxes that a node owns, deepest first, then busiest.
 *
 * @param all all of them
 */
public record MailboxFigures(List<Row> all) {
  /**
   * Mailbox and its actor.
   *
   * @param actor the actor
   * @param mailbox its mailbox
   */
  public record Row(ActorStatus actor, MailboxStatus mailbox) {}

  /** Returns the mailboxes of actors. */
  public static MailboxFigures of(List<ActorStatus> actors) {
    return new MailboxFigures(
        actors.stream()
            .flatMap(MailboxFigures::row)
            .sorted(
                Comparator.comparingLong((Row row) -> -row.mailbox().depth())
                    .thenComparingDouble(row -> -row.mailbox().perSecond())
                    .thenComparing(row -> row.actor().path()))
            .toList());
  }

  private static Stream<Row> row(ActorStatus actor) {
    MailboxStatus mailbox = actor.mailbox();
    return mailbox == null ? Stream.empty() : Stream.of(new Row(actor, mailbox));
  }

  long depth() {
    return all.stream().mapToLong(row -> row.mailbox().depth()).sum();
  }

  /** Returns since when the oldest message of all waits; null if none does. */
  @Nullable Instant oldestAt() {
    Instant oldest = null;
    for (Row row : all) {
      Instant at = row.mailbox().oldestAt();
      if (at != null && (oldest == null || at.isBefore(oldest))) {
        oldest = at;
      }
    }
    return oldest;
  }

  /** Returns the time since then; never negative, though clocks of two machines may differ. */
  static Duration age(Instant since, Instant now) {
    Duration age = Duration.between(since, now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  static ObjectNode json(MailboxStatus mailbox, Instant now) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("depth", mailbox.depth())
            .put("messages", mailbox.messages())
            .put("segments", mailbox.segments())
            .put("perSecond", Math.round(mailbox.perSecond() * 10) / 10.0)
            .put("attempts", mailbox.attempts())
            .put("parked", mailbox.parked());
    putOldest(json, mailbox.oldestAt(), now);
    return json;
  }

  /** Adds the age in whole seconds, so that a watched value changes no more often. */
  static void putOldest(ObjectNode json, @Nullable Instant oldestAt, Instant now) {
    if (oldestAt != null) {
      json.put("oldestAt", oldestAt.toString());
      json.put("age", Duration.ofSeconds(age(oldestAt, now).toSeconds()).toString());
    }
  }

  /** Returns the figures of all durable mailboxes together. */
  static ObjectNode total(MailSurvey mail, Instant now) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("count", mail.mailboxes())
            .put("depth", mail.depth());
    putOldest(json, mail.oldestAt(), now);
    return json;
  }
}
