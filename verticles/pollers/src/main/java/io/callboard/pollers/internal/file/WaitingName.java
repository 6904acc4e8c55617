package io.callboard.pollers.internal.file;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of the directory of a file that was given back.
 *
 * @param dueMillis milliseconds of the epoch from which on it may be taken
 * @param deliveries number of deliveries so far
 * @param receipt receipt by which it was given back, which makes the name unique
 */
record WaitingName(long dueMillis, int deliveries, String receipt) {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18})\\.(\\d{1,9})\\.([0-9a-z-]{1,80})");

  /** Parses a name; empty if the text is not one. */
  static Optional<WaitingName> of(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new WaitingName(
                Long.parseLong(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                matcher.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "%d.%d.%s".formatted(dueMillis, deliveries, receipt);
  }
}
