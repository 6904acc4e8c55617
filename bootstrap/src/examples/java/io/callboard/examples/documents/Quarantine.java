package io.callboard.examples.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Step {@code quarantine}, the failure handler: keeps a note for each document that could not be
 * read. The document itself stays where it is.
 *
 * @param directory directory of the notes
 */
record Quarantine(Path directory) {
  private static final String NOTE = ".txt";

  /** Writes the note of a document; again if it is there. */
  void put(String document, String reason) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(document + NOTE), reason + "\n");
  }

  /** Returns the names of the documents, sorted. */
  List<String> documents() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(NOTE))
          .map(name -> name.substring(0, name.length() - NOTE.length()))
          .sorted()
          .toList();
    }
  }
}
