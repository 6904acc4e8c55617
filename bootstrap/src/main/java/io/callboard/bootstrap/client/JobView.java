package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * One job for people: what it is, what it waits for, a table of its runs, and its events. Pure.
 *
 * @param job the job as the node answers
 * @param events its events, oldest first
 * @param why answer to why it is not running
 */
record JobView(JsonNode job, JsonNode events, JsonNode why) {
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "DEAD", "CANCELLED", "EXPIRED");
  private static final String RUNNING = "RUNNING";
  private static final int MOST_RESULT = 100;

  /** Returns whether a job has ended. */
  static boolean isEnded(JsonNode job) {
    return ENDED.contains(job.path("state").asText());
  }

  /** Returns the lines. */
  List<String> lines(Instant now) {
    List<String> lines = new ArrayList<>();
    line(lines, "job", job.path("id").asText());
    if (job.has("args")) {
      line(lines, "args", oneLine(job.path("args")));
    } else {
      line(lines, "command", command());
    }
    line(lines, "state", job.path("state").asText() + since(now));
    line(lines, "type", job.path("type").asText());
    line(lines, "priority", job.path("priority").asText());
    time(lines, "created", "createdAt", now);
    time(lines, "due", "nextAttemptAt", now);
    if (!job.path("labels").isEmpty()) {
      StringJoiner labels = new StringJoiner(" ");
      job.path("labels")
          .fields()
          .forEachRemaining(each -> labels.add(each.getKey() + "=" + each.getValue().asText()));
      line(lines, "labels", labels.toString());
    }
    if (job.has("uniqueKey")) {
      line(lines, "unique key", job.path("uniqueKey").asText());
    }
    if (job.has("error")) {
      line(lines, "error", job.path("error").asText());
    }
    progress(lines, now);
    if (job.has("lacksResult")) {
      line(lines, "result", "none: " + job.path("lacksResult").asText());
    } else if (job.has("result")) {
      line(lines, "result", oneLine(job.path("result")));
    }
    why.path("blockedBy").forEach(reason -> reason(lines, reason));
    runs(lines, now);
    events(lines);
    return lines;
  }

  private static void reason(List<String> lines, JsonNode reason) {
    line(lines, "not running", reason.path("detail").asText());
    if (reason.has("changesWhen")) {
      line(lines, "", "changes when " + RemedyCommand.changesWhen(reason));
    }
  }

  private void progress(List<String> lines, Instant now) {
    JsonNode run = job.path("runs").path(job.path("runs").size() - 1);
    if (run.has("progress")) {
      String age = timeAndAge(run.path("progressAt").asText(), now);
      line(lines, "progress", "%s, %s".formatted(run.path("progress").asText(), age));
    }
  }

  /** A result, cut to a line of a terminal; {@code --json} prints all of it. */
  private static String oneLine(JsonNode result) {
    String text = result.isTextual() ? result.asText() : result.toString();
    String line = TerminalText.line(text);
    return line.length() <= MOST_RESULT ? line : line.substring(0, MOST_RESULT) + '…';
  }

  private static void line(List<String> lines, String name, String value) {
    lines.add("%-13s%s".formatted(name, TerminalText.line(value)));
  }

  private void time(List<String> lines, String name, String field, Instant now) {
    if (job.has(field)) {
      line(lines, name, timeAndAge(job.path(field).asText(), now));
    }
  }

  private static String timeAndAge(String at, Instant now) {
    return "%s (%s)".formatted(seconds(at), Ages.of(at, now));
  }

  private static String seconds(String at) {
    return at.replaceFirst("\\.\\d+Z$", "Z");
  }

  /** The command as a shell would read it. */
  private String command() {
    StringJoiner words = new StringJoiner(" ");
    for (JsonNode word : job.path("command")) {
      words.add(ShellWord.of(word.asText()));
    }
    return words.toString();
  }

  private String since(Instant now) {
    String state = job.path("state").asText();
    JsonNode at =
        ENDED.contains(state)
            ? job.path("endedAt")
            : RUNNING.equals(state)
                ? job.path("startedAt")
                : why.has("since") ? why.path("since") : events.path(events.size() - 1).path("at");
    return at.isMissingNode() ? "" : " since " + timeAndAge(at.asText(), now);
  }

  private void runs(List<String> lines, Instant now) {
    if (job.path("runs").isEmpty()) {
      return;
    }
    Table table = new Table(List.of("run", "state", "host", "started", "took", "exit", "error"));
    for (JsonNode run : job.path("runs")) {
      table.add(
          List.of(
              Table.text(run.path("runId")),
              Table.text(run.path("state")),
              Table.text(run.path("host")),
              Ages.of(Table.text(run.path("startedAt")), now),
              took(run, now),
              Table.text(run.path("exitCode")),
              Table.text(run.path("error"))));
    }
    lines.add("");
    lines.addAll(table.lines());
  }

  private void events(List<String> lines) {
    if (events.isEmpty()) {
      return;
    }
    lines.add("");
    for (JsonNode event : events) {
      String at = seconds(event.path("at").asText());
      lines.add("%s  %s".formatted(at, TerminalText.line(event.path("what").asText())));
    }
  }

  private static String took(JsonNode run, Instant now) {
    if (!run.has("startedAt")) {
      return "-";
    }
    try {
      Instant start = Instant.parse(run.path("startedAt").asText());
      Instant end = run.has("endedAt") ? Instant.parse(run.path("endedAt").asText()) : now;
      return Ages.span(start.isAfter(end) ? Duration.ZERO : Duration.between(start, end));
    } catch (DateTimeParseException e) {
      return "-";
    }
  }
}
