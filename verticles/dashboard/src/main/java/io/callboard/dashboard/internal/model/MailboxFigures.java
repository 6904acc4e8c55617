package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.StatusJson;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

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

  /** Returns the figures of all durable mailboxes together. */
  static ObjectNode total(MailSurvey mail, Instant now) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("count", mail.mailboxes())
            .put("depth", mail.depth());
    StatusJson.putOldest(json, mail.oldestAt(), now);
    return json;
  }
}
