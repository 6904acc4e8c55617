package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command that lists jobs. */
@Command(
    description =
        "Lists jobs, the newest first, with their type, state, number of runs, age and command.")
final class JobsCommand extends ClientCommand {
  private static final int MOST = 199;

  @Option(names = "--type", paramLabel = "T", description = "Only jobs of this type.")
  @Nullable String type;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only jobs in this state, for example RUNNING or DEAD.")
  @Nullable String state;

  @Option(names = "--label", paramLabel = "KEY[=VALUE]", description = "Only jobs with this label.")
  @Nullable String label;

  @Option(
      names = "--search",
      paramLabel = "TEXT",
      description = "Only jobs with this text in their id, command, arguments or a label.")
  @Nullable String search;

  @Option(
      names = "--created-after",
      paramLabel = "TIME",
      converter = IsoArguments.Moment.class,
      description = "Only jobs created later, such as 2026-11-21T05:30:00Z.")
  @Nullable Instant createdAfter;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of jobs, 1 to 199 (default: ${DEFAULT-VALUE}).")
  int limit = 50;

  @Override
  public Integer call() throws IOException {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          spec().commandLine(), "--limit is 1 to %d, not %d".formatted(MOST, limit));
    }
    if (json) {
      print(get(query(limit)).toString());
      return 0;
    }
    JsonNode answer = get(query(limit + 1)); // one more, which may have an id that begins alike
    List<JsonNode> jobs = new ArrayList<>();
    answer.path("items").forEach(jobs::add);
    if (jobs.isEmpty()) {
      print(
          selected()
              ? "No jobs of these at %s; callboard jobs lists all".formatted(url())
              : "No jobs at %s; submit one: callboard submit --wait%s -- echo hello"
                  .formatted(url(), ClientCommands.urlOption(url())));
      return 0;
    }
    table(jobs).lines().forEach(this::print);
    if (jobs.size() > limit) {
      note(
          "there are more jobs; --limit shows up to %d, --type, --state, --label, --search and --created-after select"
              .formatted(MOST));
    }
    return 0;
  }

  private boolean selected() {
    return type != null || state != null || label != null || search != null || createdAfter != null;
  }

  private String query(int most) {
    StringBuilder query = new StringBuilder("/jobs?limit=" + most);
    append(query, "type", type);
    append(query, "state", state == null ? null : state.toUpperCase(Locale.ROOT));
    append(query, "label", label);
    append(query, "q", search);
    append(query, "createdAfter", createdAfter == null ? null : createdAfter.toString());
    return query.toString();
  }

  private static void append(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(encoded(value));
    }
  }

  private Table table(List<JsonNode> jobs) {
    Instant now = Instant.now();
    Table table =
        new Table(List.of("id", "type", "state", "priority", "runs", "created", "command or args"));
    for (int i = 0; i < Math.min(limit, jobs.size()); i++) {
      JsonNode job = jobs.get(i);
      table.add(
          List.of(
              ShortIds.shortest(id(jobs, i), id(jobs, i - 1), id(jobs, i + 1)),
              Table.text(job.path("type")),
              Table.text(job.path("state")),
              Table.text(job.path("priority")),
              String.valueOf(job.path("runs").size()),
              Ages.of(Table.text(job.path("createdAt")), now),
              Table.text(job.path(job.has("args") ? "args" : "command"))));
    }
    return table;
  }

  private static String id(List<JsonNode> jobs, int i) {
    return i < 0 || i >= jobs.size() ? "" : jobs.get(i).path("id").asText();
  }
}
