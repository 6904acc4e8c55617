package io.callboard.examples.documents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Directories of the example. The text of a document goes from step to step as a file, of which the
 * outputs have only the name: outputs are small, documents need not be.
 *
 * @param root directory below which all others are
 */
public record Workspace(Path root) {
  /** Returns the directory of the index. */
  public Path index() {
    return root.resolve("index");
  }

  /** Returns the file of the report. */
  Path report() {
    return root.resolve("report.md");
  }

  /** Returns the directory of documents that could not be read. */
  Path quarantine() {
    return root.resolve("quarantine");
  }

  /** Returns the directory in which the steps of one instance keep their files. */
  Path scratch(String instance) {
    return root.resolve("scratch").resolve(instance);
  }

  /**
   * Writes a file of an instance as a whole, or not at all: a step that is run again overwrites
   * what it left.
   *
   * @return name of the file, relative to the root
   */
  public String write(String instance, String name, String text) throws IOException {
    Path directory = Files.createDirectories(scratch(instance));
    Path file = directory.resolve(name);
    Path unfinished = Files.createTempFile(directory, name, ".new");
    Files.writeString(unfinished, text);
    Files.move(
        unfinished, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    return root.relativize(file).toString();
  }

  /** Returns the text of a file that {@link #write} has written. */
  public String read(String file) throws IOException {
    return Files.readString(root.resolve(file), StandardCharsets.UTF_8);
  }

  /** Removes the files of an instance; none need be there. */
  public void clear(String instance) throws IOException {
    Path directory = scratch(instance);
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
