package io.callboard.examples.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Text files for tests, the same for the same seed. */
final class Documents {
  private static final String[] WORDS = {
    "actor", "board", "call", "durable", "event", "failure", "gather", "head", "index", "journal",
    "kind", "lease", "mailbox", "node", "outbox", "path", "query", "restart", "scatter", "tree"
  };

  private Documents() {}

  /** Makes {@code count} of them below {@code directory}; each has rare and frequent words. */
  static Path make(Path directory, int count) throws IOException {
    Random random = new Random(42);
    for (int i = 0; i < count; i++) {
      Path file = directory.resolve("part%d/document-%03d.txt".formatted(i % 7, i));
      Files.createDirectories(file.getParent());
      StringBuilder text = new StringBuilder("number%d ".formatted(i % 50));
      int length = 20 + random.nextInt(300);
      for (int word = 0; word < length; word++) {
        int which = (int) Math.min(WORDS.length - 1, Math.abs(random.nextGaussian()) * 7);
        text.append(WORDS[which]).append(word % 11 == 10 ? ".\n" : " ");
      }
      Files.writeString(file, text);
    }
    return directory;
  }
}
