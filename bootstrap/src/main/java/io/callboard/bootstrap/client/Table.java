package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Table for people: a line of headers and a line for each row, with aligned columns. */
final class Table {
  private static final int WIDEST = 60;

  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table with these headers, written in capitals. */
  Table(List<String> headers) {
    rows.add(headers.stream().map(header -> header.toUpperCase(Locale.ROOT)).toList());
  }

  /** Adds a row, which has a cell for each header. */
  void add(List<String> cells) {
    rows.add(cells.stream().map(Table::oneLine).toList());
  }

  /** Returns the lines. */
  List<String> lines() {
    return rows.stream().map(this::line).toList();
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      int column = i;
      int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      line.append(cells.get(i)).append(" ".repeat(width - cells.get(i).length() + 2));
    }
    return line.toString().stripTrailing();
  }

  private static String oneLine(String text) {
    String line = TerminalText.line(text);
    return line.length() > WIDEST ? line.substring(0, WIDEST - 1) + "…" : line;
  }

  /** Returns the text of a field: its words if it is a list, a dash if it is missing. */
  static String text(JsonNode value) {
    if (value.isArray()) {
      List<String> words = new ArrayList<>();
      value.forEach(word -> words.add(word.asText()));
      return String.join(" ", words);
    }
    if (value.isObject()) {
      return value.toString();
    }
    return value.isMissingNode() || value.isNull() ? "-" : value.asText();
  }
}
