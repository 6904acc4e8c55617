package io.callboard.examples.documents;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The documents: those of a directory, or those that come with the example. Blocks. */
public final class Library {
  private static final String NAMES = "library.txt";

  private Library() {}

  /**
   * Returns the files directly in a directory, sorted, without hidden ones.
   *
   * @param most maximum number of them
   */
  public static List<Path> documents(Path directory, int most) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .limit(most)
          .toList();
    }
  }

  /** Writes the documents that come with the example: fourteen, and one that cannot be read. */
  public static void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (String name : names()) {
      try (InputStream in = resource("library/" + name)) {
        Files.copy(in, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static List<String> names() throws IOException {
    try (InputStream in = resource(NAMES)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = Library.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("the jar has no %s of the example".formatted(name));
    }
    return in;
  }
}
