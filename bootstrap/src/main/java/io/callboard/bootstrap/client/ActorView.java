package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One actor or failure zone for people: its plain fields, and its last failures. Pure.
 *
 * @param actor the actor as the node answers
 */
record ActorView(JsonNode actor) {
  private static final int MOST_FAILURES = 5;

  /** Returns the lines. */
  List<String> lines(Instant now) {
    List<String> lines = new ArrayList<>();
    actor
        .properties()
        .forEach(
            each -> {
              if (each.getValue().isValueNode() && !each.getValue().isNull()) {
                lines.add("%-14s  %s".formatted(each.getKey(), text(each, now)));
              }
            });
    JsonNode history = actor.path("history");
    if (!history.isEmpty()) {
      lines.add("");
      lines.add("last failures, newest first:");
      for (int i = history.size() - 1; i >= Math.max(0, history.size() - MOST_FAILURES); i--) {
        lines.add("  " + failure(history.get(i), now));
      }
    }
    return lines;
  }

  private static String text(Map.Entry<String, JsonNode> field, Instant now) {
    String text = Table.text(field.getValue());
    return field.getKey().endsWith("At") ? "%s (%s)".formatted(text, Ages.of(text, now)) : text;
  }

  private static String failure(JsonNode failure, Instant now) {
    return "%s: %s, %s"
        .formatted(
            Ages.of(failure.path("at").asText(), now),
            failure.path("cause").asText(),
            failure.path("decision").asText("not decided yet"));
  }
}
