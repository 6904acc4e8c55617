package io.callboard.examples.documents;

import io.callboard.examples.documents.DocumentIndex.Entry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Step {@code write}: the report of a library, in Markdown.
 *
 * @param entries documents of the index
 * @param quarantined documents that could not be read
 */
record LibraryReport(List<Entry> entries, List<String> quarantined) {
  private static final int MOST_ENTITIES = 10;

  /** Copies both lists. */
  LibraryReport {
    entries = List.copyOf(entries);
    quarantined = List.copyOf(quarantined);
  }

  /** Returns the number of documents of each language. */
  Map<String, Long> languages() {
    return entries.stream()
        .collect(Collectors.groupingBy(Entry::language, TreeMap::new, Collectors.counting()));
  }

  /** Returns the entities that are in most documents, each with their number. */
  List<Map.Entry<String, Long>> entities() {
    Map<String, Long> counts =
        entries.stream()
            .flatMap(entry -> entry.entities().stream())
            .collect(Collectors.groupingBy(each -> each, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(MOST_ENTITIES)
        .toList();
  }

  /** Returns the text of the report. */
  String markdown() {
    StringBuilder text = new StringBuilder("# Library\n\n");
    text.append(
        "%d documents are indexed, %d could not be read.\n\n"
            .formatted(entries.size(), quarantined.size()));
    text.append("| document | title | language | characters | entities |\n|---|---|---|---|---|\n");
    for (Entry each : entries) {
      text.append(
          "| %s | %s | %s | %d | %s |\n"
              .formatted(
                  cell(each.name()),
                  cell(each.title()),
                  each.language(),
                  each.chars(),
                  cell(String.join(", ", each.entities()))));
    }
    text.append("\n## Languages\n\n");
    languages().forEach((language, count) -> text.append("- %s: %d\n".formatted(language, count)));
    text.append("\n## Entities in most documents\n\n");
    entities().forEach(each -> text.append("- %s: %d\n".formatted(each.getKey(), each.getValue())));
    text.append("\n## In quarantine\n\n");
    quarantined.forEach(each -> text.append("- %s\n".formatted(each)));
    return text.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replaceAll("\\s+", " ");
  }
}
