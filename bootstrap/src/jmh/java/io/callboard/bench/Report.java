package io.callboard.bench;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results of one row, as JSON and as a Markdown table. */
@JsonPropertyOrder({"row", "quick", "machine", "cases"})
record Report(String row, boolean quick, Machine machine, List<Case> cases) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Writes {@code <directory>/<row>.json}. */
  Path write(Path directory) throws IOException {
    Path file = Files.createDirectories(directory).resolve(row + ".json");
    Files.writeString(file, json() + "\n");
    return file;
  }

  String json() throws IOException {
    return JSON.writeValueAsString(this);
  }

  /** Returns a heading and a table, one line for each peer of each case. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("## %s%s%n%n".formatted(row, quick ? " (quick)" : ""));
    text.append("| case | unit | ours: median (min – max) | peer | median (min – max) | ratio |\n");
    text.append("|---|---|---|---|---|---|\n");
    for (Case one : cases) {
      String ours = "| %s | %s | %s |".formatted(one.name(), unit(one), cell(one.ours()));
      if (one.peers().isEmpty()) {
        text.append(ours).append(" | | |\n");
      }
      Map<String, Double> ratio = one.ratio();
      one.peers()
          .forEach(
              (peer, theirs) ->
                  text.append(ours)
                      .append(" %s | %s |".formatted(peer, cell(theirs)))
                      .append(" **%s** |%n".formatted(number(ratio.get(peer)))));
    }
    return text.toString();
  }

  private static String unit(Case one) {
    return one.unit() + (one.betterIs() == Case.Better.LOWER ? " (less is better)" : "");
  }

  private static String cell(Measurement value) {
    return "%s (%s – %s)"
        .formatted(number(value.median()), number(value.min()), number(value.max()));
  }

  /** Returns a number with about three digits: {@code 0.034, 3.41, 341, 34.1 k, 3.41 M}. */
  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return String.format(Locale.ROOT, "%.2f M", value / 1e6);
    } else if (size >= 1e4) {
      return String.format(Locale.ROOT, "%.1f k", value / 1e3);
    } else if (size >= 100) {
      return String.format(Locale.ROOT, "%.0f", value);
    } else if (size >= 1) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
