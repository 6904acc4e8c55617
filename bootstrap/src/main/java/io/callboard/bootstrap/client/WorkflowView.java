package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * One instance of a workflow for people: what it is, a table of its steps, and what it waits for.
 * Pure.
 *
 * @param instance the instance as the node answers
 * @param why answer to why it is where it is
 */
record WorkflowView(JsonNode instance, JsonNode why) {
  private static final Set<String> ENDED =
      Set.of("SUCCEEDED", "SUCCEEDED_WITH_WARNINGS", "FAILED", "CANCELLED");
  private static final Set<String> SETTLED = Set.of("SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED");

  /** Returns whether an instance has ended. */
  static boolean isEnded(JsonNode instance) {
    return ENDED.contains(instance.path("state").asText());
  }

  /** Returns whether an instance has ended well. */
  static boolean isSuccess(JsonNode instance) {
    return instance.path("state").asText().startsWith("SUCCEEDED");
  }

  /** Returns whether a step is settled. */
  static boolean isSettled(JsonNode step) {
    return SETTLED.contains(step.path("state").asText());
  }

  /** Returns the lines. */
  List<String> lines(Instant now) {
    List<String> lines = new ArrayList<>();
    line(lines, "workflow", instance.path("id").asText());
    line(
        lines,
        "definition",
        "%s, version %s"
            .formatted(
                instance.path("definition").asText(),
                DefinitionCommands.shortVersion(instance.path("version"))));
    line(lines, "state", instance.path("state").asText());
    line(lines, "priority", instance.path("priority").asText());
    time(lines, "created", "createdAt", now);
    time(lines, "ended", "endedAt", now);
    if (!instance.path("labels").isEmpty()) {
      StringJoiner labels = new StringJoiner(" ");
      for (Map.Entry<String, JsonNode> each : instance.path("labels").properties()) {
        labels.add(each.getKey() + "=" + each.getValue().asText());
      }
      line(lines, "labels", labels.toString());
    }
    optional(lines, "unique key", "uniqueKey");
    optional(lines, "parent", "parent");
    optional(lines, "reason", "reason");
    if (!isEnded(instance)) {
      line(lines, "waits for", why.path("summary").asText());
    }
    steps(lines, now);
    return lines;
  }

  private void optional(List<String> lines, String name, String field) {
    if (instance.has(field)) {
      line(lines, name, instance.path(field).asText());
    }
  }

  private static void line(List<String> lines, String name, String value) {
    lines.add("%-13s%s".formatted(name, value));
  }

  private void time(List<String> lines, String name, String field, Instant now) {
    if (instance.has(field)) {
      String at = instance.path(field).asText();
      line(lines, name, "%s (%s)".formatted(at.replaceFirst("\\.\\d+Z$", "Z"), Ages.of(at, now)));
    }
  }

  private void steps(List<String> lines, Instant now) {
    Table table = new Table(List.of("step", "state", "attempts", "took", "where", "reason"));
    for (Map.Entry<String, JsonNode> each : instance.path("steps").properties()) {
      JsonNode step = each.getValue();
      JsonNode waits = why.path("steps").path(each.getKey()).path("text");
      table.add(
          List.of(
              each.getKey(),
              step.path("state").asText(),
              Table.text(step.path("attempts")),
              took(step, now),
              Table.text(step.has("worker") ? step.path("worker") : step.path("child")),
              Table.text(step.has("reason") ? step.path("reason") : waits)));
    }
    lines.add("");
    lines.addAll(table.lines());
  }

  /** Returns how long a step has taken. */
  static String took(JsonNode step, Instant now) {
    if (!step.has("startedAt")) {
      return "-";
    }
    try {
      Instant start = Instant.parse(step.path("startedAt").asText());
      Instant end = step.has("endedAt") ? Instant.parse(step.path("endedAt").asText()) : now;
      return Ages.span(start.isAfter(end) ? Duration.ZERO : Duration.between(start, end));
    } catch (DateTimeParseException e) {
      return "-";
    }
  }
}
