package io.callboard.examples.search;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text to be searched: what it is, and where each document is read.
 *
 * @param what for people
 * @param left documents that were found, and left out because of the limit
 */
record Corpus(String what, List<Entry> entries, long left) {
  /** Characters of a document that are indexed and kept; the rest is cut. */
  static final int MAX_CHARS = 64 * 1024;

  /** Part of the fingerprint: changes when documents are indexed differently. */
  private static final String FORMAT = "1";

  /**
   * A document.
   *
   * @param id its name, unique in the corpus
   * @param file where it is
   * @param inside its name in that archive; null if the file is the document
   */
  record Entry(String id, Path file, @Nullable String inside, long bytes) {}

  /**
   * Returns the documents of share {@code number} of {@code shares}; those of one archive stay
   * together.
   */
  List<Entry> share(int number, int shares) {
    return entries.stream()
        .filter(entry -> Math.floorMod(entry.id().hashCode(), shares) == number)
        .sorted(Comparator.comparing(Entry::file).thenComparing(Entry::id))
        .toList();
  }

  /** Identifies a list of documents by their names and sizes. */
  static String fingerprint(List<Entry> share) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(FORMAT.getBytes(StandardCharsets.UTF_8));
      for (Entry entry : share) {
        String line = "\n%s %d".formatted(entry.id(), entry.bytes());
        digest.update(line.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
