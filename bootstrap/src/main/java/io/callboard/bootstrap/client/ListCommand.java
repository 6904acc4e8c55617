package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Command that prints a list from the node as a table. */
@Command
final class ListCommand extends ClientCommand {
  private final String path;
  private final List<String> columns;
  private final String empty;

  private ListCommand(String path, List<String> columns, String empty) {
    this.path = path;
    this.columns = columns;
    this.empty = empty;
  }

  /**
   * Returns a command that prints a list.
   *
   * @param description its help text
   * @param path path of the list below the API
   * @param columns fields of a row; {@code since}, and those that end with {@code At}, are times
   * @param empty sentence for an empty list, in which %s is the address of the node
   */
  static CommandLine of(String description, String path, List<String> columns, String empty) {
    CommandLine list = new CommandLine(new ListCommand(path, columns, empty));
    list.getCommandSpec().usageMessage().description(description);
    return list;
  }

  @Override
  public Integer call() throws IOException {
    JsonNode answer = get(path);
    if (json) {
      print(answer.toString());
      return 0;
    }
    JsonNode rows = answer.isArray() ? answer : answer.path("items");
    if (rows.isEmpty()) {
      print(empty.formatted(url()));
      return 0;
    }
    Instant now = Instant.now();
    Table table = new Table(columns.stream().map(ListCommand::header).toList());
    for (JsonNode row : rows) {
      table.add(columns.stream().map(column -> cell(column, row.path(column), now)).toList());
    }
    table.lines().forEach(this::print);
    return 0;
  }

  /** The field's name; that of a time is what happened then. */
  private static String header(String column) {
    return column.replaceFirst("(?<=[a-z])At$", "");
  }

  private static String cell(String column, JsonNode value, Instant now) {
    String text = Table.text(value);
    return column.endsWith("At") || column.equals("since") ? Ages.of(text, now) : text;
  }
}
