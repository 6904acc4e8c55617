package io.callboard.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.supervision.RestartBudget;
import io.callboard.zone.ZoneDefaults;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Actors and failure zones as JSON, in the form of the REST interface. */
public final class StatusJson {
  private StatusJson() {}

  /** Returns the form of an actor that runs on its node. */
  public static ObjectNode of(ActorStatus actor, Instant now) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", actor.path().toString())
            .put("node", actor.node())
            .put("type", actor.type())
            .put("durable", actor.durable())
            .put("zone", actor.zone())
            .put("state", actor.state().name())
            .put("queued", actor.queued())
            .put("handled", actor.handled())
            .put("failures", actor.failures())
            .put("restarts", actor.restarts())
            .put("childKind", actor.childKind().name());
    if (actor.zone().equals(ZoneDefaults.TOOLKIT)) {
      row.put("system", true);
    }
    if (actor.budget() != null) {
      row.set("budget", of(actor.budget()));
    }
    text(row, "supervisor", actor.supervisor());
    text(row, "lastFailure", actor.lastFailure());
    text(row, "lastFailureAt", actor.lastFailureAt());
    text(row, "nextAttempt", actor.nextAttempt());
    text(row, "needs", actor.needs());
    failing(row, actor.failing());
    interrupted(row, actor.interrupted());
    if (actor.recovery() != null) {
      row.putObject("recovery")
          .put("events", actor.recovery().events())
          .put("of", actor.recovery().of());
    }
    if (actor.mailbox() != null) {
      row.set("mailbox", of(actor.mailbox(), now));
    }
    return row;
  }

  /** Returns the form of a failure zone, without its children. */
  public static ObjectNode of(FailureZoneStatus zone) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", zone.path().toString())
            .put("kind", "zone")
            .put("node", zone.node())
            .put("strategy", zone.strategy().name())
            .put("state", zone.state().name())
            .put("children", zone.children().size())
            .put("restarts", zone.restarts())
            .put("childFailures", zone.childFailures())
            .put("childRestarts", zone.childRestarts())
            .put("whenOver", zone.policy().whenOver().name())
            .put("childKind", zone.childKind().name());
    row.set("budget", of(zone.budget()));
    if (zone.ownBudget() != null) {
      row.set("ownBudget", of(zone.ownBudget()));
    }
    text(row, "supervisor", zone.supervisor());
    text(row, "lastFailure", zone.lastFailure());
    text(row, "lastFailureAt", zone.lastFailureAt());
    text(row, "nextAttempt", zone.nextAttempt());
    text(row, "needs", zone.needs());
    failing(row, zone.failing());
    return row;
  }

  private static void failing(ObjectNode row, @Nullable FailureStreak streak) {
    if (streak != null) {
      row.put("failingSince", streak.since().toString()).put("failuresInARow", streak.failures());
    }
  }

  private static void interrupted(ObjectNode row, @Nullable InterruptionStreak streak) {
    if (streak != null) {
      row.put("interruptedSince", streak.since().toString())
          .put("interruptedAt", streak.last().toString())
          .put("interruptionsInARow", streak.times());
    }
  }

  private static void text(ObjectNode row, String field, @Nullable Object value) {
    if (value != null) {
      row.put(field, value.toString());
    }
  }

  /** Returns the form of a mailbox. */
  public static ObjectNode of(MailboxStatus mailbox, Instant now) {
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
  public static void putOldest(ObjectNode json, @Nullable Instant oldestAt, Instant now) {
    if (oldestAt != null) {
      json.put("oldestAt", oldestAt.toString());
      json.put("age", Duration.ofSeconds(age(oldestAt, now).toSeconds()).toString());
    }
  }

  /** Returns the time since then; never negative, though clocks of two machines may differ. */
  public static Duration age(Instant since, Instant now) {
    Duration age = Duration.between(since, now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Returns the remaining restarts. */
  public static ObjectNode of(RestartBudget budget) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("allowed", budget.allowed())
        .put("window", budget.window().toString())
        .put("counted", budget.counted())
        .put("left", budget.left());
  }

  /** Adds failures, oldest first, as {@code history}. */
  public static ObjectNode putHistory(ObjectNode row, List<Failure> failures) {
    ArrayNode history = row.putArray("history");
    failures.forEach(failure -> history.add(Json.uncheckedTree(failure)));
    return row;
  }
}
