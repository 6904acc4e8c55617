package io.callboard.zone;

import io.callboard.codecs.Suggestions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Whose turn it is first among the actors of one zone: a higher one's slices go before those of a
 * lower one, but one of {@value #SHARE} goes to a lower one that waits. Only zones of the kinds
 * {@code fixed} and {@code elastic} know priorities. How fast a slice is run does not change, nor
 * does the order of an actor's messages.
 */
public enum ZonePriority {
  LOW,
  NORMAL,
  HIGH;

  /** A priority that waits gets one slice of so many. */
  public static final int SHARE = 8;

  /** As it is written in configurations: {@code low}, {@code normal}, {@code high}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param label as {@link #label} gives it
   * @throws IllegalArgumentException if there is none; the message names those there are
   */
  public static ZonePriority of(String label) {
    List<String> labels = Stream.of(values()).map(ZonePriority::label).toList();
    int index = labels.indexOf(label);
    if (index < 0) {
      throw new IllegalArgumentException(
          "there is no zone priority \"%s\"%s".formatted(label, Suggestions.hint(label, labels)));
    }
    return values()[index];
  }
}
