package io.callboard.examples.articles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Articles that are published together. The one that was not all indexed as its process was killed
 * goes on with the next process: its file has its number, and the names of what was published.
 * Blocks.
 */
final class Edition {
  private final Path file;
  private final String number;
  private final Set<String> published;

  private Edition(Path file, String number, Set<String> published) {
    this.file = file;
    this.number = number;
    this.published = published;
  }

  /**
   * Opens the edition that is not at its end, or begins the next one, with an empty index.
   *
   * @param root directory of the example
   * @param index directory of the index
   * @param now number of a new one, greater than those before
   */
  static Edition open(Path root, Path index, long now) throws IOException {
    Path file = Files.createDirectories(root).resolve("edition");
    if (!Files.exists(file)) {
      delete(index);
      Path begun = Files.writeString(root.resolve("edition.new"), now + "\n");
      Path unused = Files.move(begun, file);
    }
    List<String> lines = Files.readAllLines(file);
    return new Edition(file, lines.get(0), new HashSet<>(lines));
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** Returns the id of the message about an article, which each edition publishes once. */
  String message(String article) {
    return number + "-" + article;
  }

  boolean isPublished(String article) {
    return published.contains(article);
  }

  /** Notes that an article was published; if that is lost, it is published again. */
  void published(String article) throws IOException {
    Files.writeString(file, article + "\n", StandardOpenOption.APPEND);
    boolean unused = published.add(article);
  }

  /** Ends the edition: the next start begins another one. */
  void end() throws IOException {
    boolean unused = Files.deleteIfExists(file);
  }
}
