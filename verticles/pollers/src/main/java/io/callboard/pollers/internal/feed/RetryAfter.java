package io.callboard.pollers.internal.feed;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Reader of the header {@code Retry-After}: seconds, or a date of HTTP. */
final class RetryAfter {
  private RetryAfter() {}

  /** Returns the pause that a server asks for, a day at most; zero without a readable header. */
  static Duration of(@Nullable String header, Instant now) {
    if (header == null) {
      return Duration.ZERO;
    }
    String text = header.strip();
    if (text.matches("[0-9]+")) {
      return text.length() > 9
          ? FeedSettings.LONGEST_PERIOD
          : bounded(Duration.ofSeconds(Long.parseLong(text)));
    }
    try {
      Instant at = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
      return bounded(Duration.between(now, at));
    } catch (DateTimeException e) {
      return Duration.ZERO;
    }
  }

  private static Duration bounded(Duration wanted) {
    if (wanted.isNegative()) {
      return Duration.ZERO;
    }
    return wanted.compareTo(FeedSettings.LONGEST_PERIOD) < 0 ? wanted : FeedSettings.LONGEST_PERIOD;
  }
}
