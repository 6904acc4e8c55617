package io.callboard.pollers.internal.file;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of the directory of a file that a client has taken.
 *
 * @param receipt client, and number of the delivery with that client
 * @param deliveries number of deliveries, with this one
 * @param lease time for which others leave it alone unless the name changes
 * @param extensions how often the lease was extended
 */
record TakenName(String receipt, int deliveries, Duration lease, long extensions) {
  private static final Pattern TEXT =
      Pattern.compile("([0-9a-z-]{1,80})\\.(\\d{1,9})\\.(\\d{1,12})\\.(\\d{1,18})");

  /** Parses a name; empty if the text is not one. */
  static Optional<TakenName> of(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new TakenName(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Duration.ofMillis(Long.parseLong(matcher.group(3))),
                Long.parseLong(matcher.group(4))))
        : Optional.empty();
  }

  /** Returns the name after another extension by that lease. */
  TakenName extended(Duration by) {
    return new TakenName(receipt, deliveries, by, extensions + 1);
  }

  @Override
  public String toString() {
    return "%s.%d.%d.%d".formatted(receipt, deliveries, lease.toMillis(), extensions);
  }
}
