package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.RemoteAdmin;
import io.callboard.dashboard.internal.attention.Subject.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Report of another node about itself: the fields of its roll-up that its version has. A field of
 * the wrong form is an {@link IllegalArgumentException}. Pure.
 */
final class NodeReport {
  private final String node;
  private final JsonNode rollUp;

  /** Time of the node, by whose clock its other times are. */
  private final Instant at;

  /**
   * Reads a roll-up.
   *
   * @param now time of this node, in place of that of a node that does not report its own
   */
  NodeReport(String node, JsonNode rollUp, Instant now) {
    this.node = node;
    this.rollUp = rollUp;
    Instant reported = instant(rollUp, "at");
    this.at = reported == null ? now : reported;
  }

  String node() {
    return node;
  }

  Instant at() {
    return at;
  }

  Iterable<JsonNode> rows(String field) {
    return rollUp.path(field);
  }

  int listed(String field) {
    return rollUp.path(field).size();
  }

  boolean has(String field) {
    return rollUp.has(field);
  }

  long number(String field) {
    return rollUp.path(field).asLong();
  }

  long zonesIn(String state) {
    return rollUp.at("/zones/" + state).asLong();
  }

  long actorsIn(String state) {
    return rollUp.at("/actors/byState/" + state).asLong()
        + rollUp.at("/system/byState/" + state).asLong();
  }

  /**
   * Returns the number of items in a state beyond those that a list reports; 0 for a short list,
   * which reports all.
   */
  long unlisted(String field, String state, long all) {
    JsonNode rows = rollUp.path(field);
    if (rows.size() < RemoteAdmin.MOST) {
      return 0;
    }
    return all
        - StreamSupport.stream(rows.spliterator(), false)
            .filter(row -> row.path("state").asText().equals(state))
            .count();
  }

  /** Returns the last row of a list; null if it is empty or not there. */
  @Nullable JsonNode last(String field) {
    JsonNode rows = rollUp.path(field);
    return rows.isEmpty() ? null : rows.get(rows.size() - 1);
  }

  /** Returns the actor or failure zone that a row is of. */
  Subject subject(JsonNode row) {
    String path = row.path("path").asText();
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path is no path: %.80s".formatted(path));
    }
    return Subject.of(Kind.ACTOR, path).on(node);
  }

  @Nullable Instant blockedSince(JsonNode row) {
    String span = text(row, "blockedFor");
    try {
      return span == null ? null : at.minus(Duration.parse(span)).truncatedTo(ChronoUnit.SECONDS);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("blockedFor is no span of time: " + span, e);
    }
  }

  /** Returns the number of messages that wait for the actor of a row. */
  static long waiting(JsonNode row) {
    JsonNode mailbox = row.path("mailbox");
    return (mailbox.isMissingNode() ? row.path("queued") : mailbox.path("depth")).asLong();
  }

  static @Nullable String text(JsonNode row, String field) {
    return row.path(field).isTextual() ? row.path(field).asText() : null;
  }

  static @Nullable Instant instant(JsonNode row, String field) {
    String time = text(row, field);
    try {
      return time == null ? null : Instant.parse(time);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("%s is no time: %.80s".formatted(field, time), e);
    }
  }
}
