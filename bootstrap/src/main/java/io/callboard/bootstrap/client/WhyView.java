package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reasons why a job does not run, for people. Pure. */
final class WhyView {
  private WhyView() {}

  /**
   * Returns the lines.
   *
   * @param id id of the job
   * @param why answer of the node
   */
  static List<String> lines(String id, JsonNode why, Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add("%s is %s%s".formatted(id, why.path("state").asText(), since(why, now)));
    for (JsonNode reason : why.path("blockedBy")) {
      String kind = reason.path("kind").asText();
      String place =
          reason.has("position")
              ? ", place %s in the queue".formatted(reason.path("position").asText())
              : "";
      lines.add("");
      lines.add(
          "%s: %s%s%s".formatted(kind, reason.path("detail").asText(), place, since(reason, now)));
      if (reason.has("changesWhen")) {
        lines.add("  changes when " + RemedyCommand.changesWhen(reason));
      }
      if (reason.has("asked")) {
        lines.add("  asked last: " + reason.path("asked").asText());
      }
      question(lines, reason, now);
    }
    return lines;
  }

  /** Adds when the host of the run was asked, and its answer. */
  private static void question(List<String> lines, JsonNode reason, Instant now) {
    String at = reason.path("askedAt").asText();
    if (!at.isEmpty()) {
      String answer = reason.path("answer").asText();
      lines.add(
          "  asked %s: %s"
              .formatted(Ages.of(at, now), answer.isEmpty() ? "no answer yet" : answer));
    }
  }

  private static String since(JsonNode of, Instant now) {
    String at = of.path("since").asText();
    return at.isEmpty()
        ? ""
        : ", since %s (%s)".formatted(at.replaceFirst("\\.\\d+Z$", "Z"), Ages.of(at, now));
  }
}
