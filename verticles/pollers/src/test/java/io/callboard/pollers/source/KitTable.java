package io.callboard.pollers.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Table of what became of a message at each kill point, for each kind whose test has run: {@code
 * target/kit.md}. Each kind has a file of its own in {@code target/kit}, which its next run writes
 * anew, so tests in several JVMs make one table.
 */
final class KitTable {
  private static final Path TABLE = Path.of("target", "kit.md");
  private static final Path KINDS = Path.of("target", "kit");
  private static final String ENDING = ".tsv";
  private static final String BEGUN = "begun";

  private static final Map<String, KitTable> TABLES = new TreeMap<>();

  private final Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Map<KillPoint, String> outcomes = new EnumMap<>(KillPoint.class);

  private KitTable() {}

  /** Has what was seen in a test, and writes the table. */
  static synchronized void record(String kind, KillPoint point, String outcome) throws IOException {
    KitTable table = TABLES.computeIfAbsent(kind, any -> new KitTable());
    table.outcomes.put(point, outcome.replaceAll("[\\s|]+", " ").strip());
    Files.createDirectories(KINDS);
    try (FileChannel channel =
        FileChannel.open(
            KINDS.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var unused = channel.lock(); // until it is closed
      Files.write(KINDS.resolve(kind + ENDING), table.lines());
      Files.write(TABLE, markdown());
    }
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(BEGUN + "\t" + begun));
    outcomes.forEach((point, outcome) -> lines.add(point + "\t" + outcome));
    return lines;
  }

  private static List<String> markdown() throws IOException {
    Map<String, Map<String, String>> kinds = new TreeMap<>();
    try (Stream<Path> files = Files.list(KINDS)) {
      for (Path file : files.filter(each -> each.toString().endsWith(ENDING)).toList()) {
        String name = file.getFileName().toString();
        kinds.put(
            name.substring(0, name.length() - ENDING.length()),
            Files.readAllLines(file).stream()
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
      }
    }
    List<String> rows = new ArrayList<>();
    rows.add("| killed | " + String.join(" | ", kinds.keySet()) + " |");
    rows.add("|---".repeat(kinds.size() + 1) + "|");
    for (KillPoint point : KillPoint.values()) {
      rows.add(row(point.label(), point.name(), kinds));
    }
    rows.add(row("tests begun", BEGUN, kinds));
    return rows;
  }

  private static String row(String label, String key, Map<String, Map<String, String>> kinds) {
    return kinds.values().stream()
        .map(of -> of.getOrDefault(key, "did not run"))
        .collect(Collectors.joining(" | ", "| " + label + " | ", " |"));
  }
}
