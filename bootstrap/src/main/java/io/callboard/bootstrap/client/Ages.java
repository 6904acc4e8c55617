package io.callboard.bootstrap.client;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Times for people: how long ago something was, or how long it took. Pure. */
final class Ages {
  private static final Duration TWO_HOURS = Duration.ofHours(2);
  private static final Duration TWO_DAYS = Duration.ofDays(2);

  private Ages() {}

  /** Returns the age of an RFC 3339 time; the text itself if it is no time. */
  static String of(String time, Instant now) {
    try {
      return of(Instant.parse(time), now);
    } catch (DateTimeParseException e) {
      return time;
    }
  }

  /** Returns {@code now}, {@code 3 min ago} or {@code in 3 min}. */
  static String of(Instant time, Instant now) {
    Duration age = Duration.between(time, now);
    if (age.abs().toSeconds() == 0) {
      return "now";
    }
    Duration whole = Duration.ofSeconds(age.abs().toSeconds());
    return age.isNegative() ? "in " + span(whole) : span(whole) + " ago";
  }

  /** Returns a duration in its largest unit: {@code 0.2 s}, {@code 45 s}, {@code 3 min}. */
  static String span(Duration span) {
    if (span.toSeconds() < 10) {
      long tenths = span.toMillis() / 100;
      return tenths % 10 == 0 ? tenths / 10 + " s" : tenths / 10 + "." + tenths % 10 + " s";
    } else if (span.toMinutes() < 2) {
      return span.toSeconds() + " s";
    } else if (span.compareTo(TWO_HOURS) < 0) {
      return span.toMinutes() + " min";
    }
    return span.compareTo(TWO_DAYS) < 0 ? span.toHours() + " h" : span.toDays() + " d";
  }
}
