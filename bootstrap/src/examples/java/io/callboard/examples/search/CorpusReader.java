package io.callboard.examples.search;

import io.callboard.examples.search.Corpus.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Reader of documents, one after the other; keeps the archive open that it read last. Blocks. */
final class CorpusReader implements AutoCloseable {
  /** A character of UTF-8 takes up to 4 bytes; one more byte shows that there is more. */
  private static final int MAX_BYTES = 4 * Corpus.MAX_CHARS + 1;

  private @Nullable ZipFile archive;
  private @Nullable Path archiveFile;

  /** Returns the text of a document, cut at its limit; empty if it is no text. */
  Optional<String> read(Entry entry) throws IOException {
    String inside = entry.inside();
    if (inside == null) {
      try (InputStream in = Files.newInputStream(entry.file())) {
        return text(entry.file().toString().endsWith(".gz") ? new GZIPInputStream(in) : in);
      }
    }
    ZipFile zip = archive(entry.file());
    ZipEntry found = zip.getEntry(inside);
    if (found == null) {
      throw new NoSuchFileException(entry.id(), null, "it is gone from its archive");
    }
    try (InputStream in = zip.getInputStream(found)) {
      return text(in);
    }
  }

  private ZipFile archive(Path file) throws IOException {
    if (archive == null || !file.equals(archiveFile)) {
      close();
      archive = new ZipFile(file.toFile());
      archiveFile = file;
    }
    return archive;
  }

  private static Optional<String> text(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES);
    for (byte b : bytes) {
      if (b == 0) {
        return Optional.empty();
      }
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    return Optional.of(text.length() > Corpus.MAX_CHARS ? cut(text) : text);
  }

  private static String cut(String text) {
    int end = Corpus.MAX_CHARS;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  @Override
  public void close() throws IOException {
    if (archive != null) {
      archive.close();
      archive = null;
      archiveFile = null;
    }
  }
}
