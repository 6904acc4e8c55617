package io.callboard.pollers.internal.target;

import java.util.Optional;

/**
 * Key of one attempt of a message, by which a repeated call finds what the attempt has started.
 *
 * @param source name of the source
 * @param id id of the message in the source
 * @param attempt number of the attempt, from 1
 */
public record MessageKey(String source, String id, int attempt) {
  private static final String PREFIX = "source/";

  /** Returns the key as a text. */
  public String text() {
    return "%s%s/%s#%d".formatted(PREFIX, source, id, attempt);
  }

  /** Parses a key; empty if the text is not a key of that source. */
  public static Optional<MessageKey> of(String source, String text) {
    String begin = PREFIX + source + "/";
    int end = text.lastIndexOf('#');
    if (!text.startsWith(begin)
        || end < begin.length()
        || !text.substring(end + 1).matches("[0-9]{1,6}")) {
      return Optional.empty();
    }
    int attempt = Integer.parseInt(text.substring(end + 1));
    return Optional.of(new MessageKey(source, text.substring(begin.length(), end), attempt));
  }
}
