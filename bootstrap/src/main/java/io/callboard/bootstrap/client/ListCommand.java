package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Command that prints a list from the node as a table. */
@Command
final class ListCommand extends Remote {
  private static final int WIDEST = 60;

  private final String path;
  private final List<String> columns;

  private ListCommand(String path, List<String> columns) {
    this.path = path;
    this.columns = columns;
  }

  /**
   * Returns a command that lists the items at {@code path}; {@code description} is its help text.
   */
  static CommandLine of(String description, String path, List<String> columns) {
    CommandLine list = new CommandLine(new ListCommand(path, columns));
    list.getCommandSpec().usageMessage().description(description);
    return list;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode answer = get(path);
    if (json) {
      print(answer.toString());
      return 0;
    }
    JsonNode rows = answer.isArray() ? answer : answer.path("items");
    List<List<String>> table = new ArrayList<>();
    table.add(columns.stream().map(ListCommand::header).toList());
    for (JsonNode row : rows) {
      table.add(columns.stream().map(column -> cell(row.path(column))).toList());
    }
    for (List<String> line : table) {
      print(line(line, table));
    }
    return 0;
  }

  /** The field's name in capitals; that of a time is what happened then. */
  private static String header(String column) {
    return column.replaceFirst("(?<=[a-z])At$", "").toUpperCase(Locale.ROOT);
  }

  private String line(List<String> cells, List<List<String>> table) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      int column = i;
      int width = table.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      line.append(cells.get(i)).append(" ".repeat(width - cells.get(i).length() + 2));
    }
    return line.toString().stripTrailing();
  }

  private static String cell(JsonNode value) {
    String text;
    if (value.isArray()) {
      List<String> words = new ArrayList<>();
      value.forEach(word -> words.add(word.asText()));
      text = String.join(" ", words);
    } else {
      text = value.isMissingNode() ? "-" : value.asText();
    }
    String line = text.replaceAll("\\s+", " ");
    return line.length() > WIDEST ? line.substring(0, WIDEST - 1) + "…" : line;
  }
}
