package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command that lists instances of workflows. */
@Command(
    description =
        "Lists instances of workflows, the newest first, with their definition, state, settled steps and age.")
final class WorkflowList extends ClientCommand {
  private static final int MOST = 199;
  private static final List<String> SETTLED =
      List.of("SUCCEEDED", "FAILED", "SKIPPED", "CANCELLED");

  @Option(
      names = "--definition",
      paramLabel = "NAME",
      description = "Only instances of this definition.")
  @Nullable String definition;

  @Option(
      names = "--version",
      paramLabel = "VERSION",
      description =
          "Only instances of this version; with --definition its beginning will do, as workflow"
              + " definitions NAME shows it.")
  @Nullable String version;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only instances in this state, for example RUNNING or FAILED.")
  @Nullable String state;

  @Option(
      names = "--label",
      paramLabel = "KEY[=VALUE]",
      description = "Only instances with this label.")
  @Nullable String label;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "Maximum number of instances, 1 to 199 (default: ${DEFAULT-VALUE}).")
  int limit = 50;

  @Override
  public Integer call() throws IOException {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          spec().commandLine(), "--limit is 1 to %d, not %d".formatted(MOST, limit));
    }
    if (version != null) {
      version = DefinitionCommands.version(this, definition, version);
    }
    if (json) {
      print(get(query(limit)).toString());
      return 0;
    }
    JsonNode answer = get(query(limit + 1)); // one more, which may have an id that begins alike
    List<JsonNode> rows = new ArrayList<>();
    answer.path("items").forEach(rows::add);
    if (rows.isEmpty()) {
      boolean selected = definition != null || version != null || state != null || label != null;
      print(
          selected
              ? "No workflows of these at %s; callboard workflow list lists all".formatted(url())
              : "No workflows at %s; start one: callboard workflow run%s FILE"
                  .formatted(url(), ClientCommands.urlOption(url())));
      return 0;
    }
    table(rows).lines().forEach(this::print);
    if (rows.size() > limit) {
      note(
          "there are more; --limit shows up to %d, --definition, --version, --state and --label select"
              .formatted(MOST));
    }
    return 0;
  }

  private String query(int most) {
    StringBuilder query = new StringBuilder("/workflows?limit=" + most);
    append(query, "definition", definition);
    append(query, "version", version);
    append(query, "state", state == null ? null : state.toUpperCase(Locale.ROOT));
    append(query, "label", label);
    return query.toString();
  }

  private static void append(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(encoded(value));
    }
  }

  private Table table(List<JsonNode> rows) {
    Instant now = Instant.now();
    Table table =
        new Table(List.of("id", "definition", "version", "state", "settled", "created", "ended"));
    for (int i = 0; i < Math.min(limit, rows.size()); i++) {
      JsonNode row = rows.get(i);
      table.add(
          List.of(
              ShortIds.shortest(id(rows, i), id(rows, i - 1), id(rows, i + 1)),
              Table.text(row.path("definition")),
              DefinitionCommands.shortVersion(row.path("version")),
              Table.text(row.path("state")),
              settled(row.path("steps")),
              Ages.of(Table.text(row.path("createdAt")), now),
              Ages.of(Table.text(row.path("endedAt")), now)));
    }
    return table;
  }

  /** Returns how many steps are settled, of all. */
  private static String settled(JsonNode steps) {
    int all = 0;
    int settled = 0;
    for (Map.Entry<String, JsonNode> each : steps.properties()) {
      all += each.getValue().asInt();
      settled += SETTLED.contains(each.getKey()) ? each.getValue().asInt() : 0;
    }
    return settled + "/" + all;
  }

  private static String id(List<JsonNode> rows, int i) {
    return i < 0 || i >= rows.size() ? "" : rows.get(i).path("id").asText();
  }
}
