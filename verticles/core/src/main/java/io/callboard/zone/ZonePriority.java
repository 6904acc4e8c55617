package io.callboard.zone;

import io.callboard.codecs.internal.text.Suggestions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Priority of an actor among the actors of its zone: slices of a higher priority run before those
 * of a lower one, except that one of {@value #SHARE} goes to a waiting lower priority, so that none
 * starves. Only zones of the kinds {@code fixed} and {@code elastic} support priorities. Neither
 * the speed of a slice nor the order of an actor's messages changes.
 */
public enum ZonePriority {
  /** Priority below normal. */
  LOW,
  /** Priority of actors that choose none. */
  NORMAL,
  /** Priority above normal. */
  HIGH;

  /** A waiting lower priority gets one of so many slices. */
  public static final int SHARE = 8;

  /**
   * Returns the name of the priority in configurations: {@code low}, {@code normal}, {@code high}.
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the priority of that name.
   *
   * @param label as {@link #label} gives it
   * @throws IllegalArgumentException if there is none; the message lists the priorities
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
