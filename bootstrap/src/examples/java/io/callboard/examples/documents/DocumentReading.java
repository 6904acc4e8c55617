package io.callboard.examples.documents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Step {@code read}: reads a document and finds out whether it is HTML or plain text. */
public final class DocumentReading {
  private static final long MAX_BYTES = 4L << 20;
  private static final int HEAD = 1_000;

  private DocumentReading() {}

  /** Kind of a document. */
  public enum Kind {
    /** HTML, by its name or its first tag. */
    HTML,
    /** Everything else that is text. */
    TEXT
  }

  /**
   * Content of a document.
   *
   * @param kind its kind
   * @param text its text as it is in the file
   */
  public record Content(Kind kind, String text) {}

  /**
   * Reads a document.
   *
   * @throws UnreadableDocument if it is too large or no text in UTF-8, now and always
   */
  public static Content read(Path document) throws IOException {
    long bytes = Files.size(document);
    if (bytes > MAX_BYTES) {
      throw new UnreadableDocument(
          "%s has %,d bytes; at most %,d are read"
              .formatted(document.getFileName(), bytes, MAX_BYTES));
    }
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Files.readAllBytes(document)))
              .toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableDocument(
          "%s is no text in UTF-8: convert it, or leave it out".formatted(document.getFileName()));
    }
    if (text.indexOf('\0') >= 0) {
      throw new UnreadableDocument(
          "%s is a binary file: leave it out".formatted(document.getFileName()));
    }
    return new Content(kind(document, text), text);
  }

  private static Kind kind(Path document, String text) {
    String name = document.getFileName().toString().toLowerCase(Locale.ROOT);
    String head = text.substring(0, Math.min(HEAD, text.length())).toLowerCase(Locale.ROOT);
    boolean html =
        name.endsWith(".html")
            || name.endsWith(".htm")
            || head.stripLeading().startsWith("<!doctype html")
            || head.contains("<html");
    return html ? Kind.HTML : Kind.TEXT;
  }
}
