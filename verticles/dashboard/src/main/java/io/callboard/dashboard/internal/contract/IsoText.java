package io.callboard.dashboard.internal.contract;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Strict parser of times and durations; messages are for the author of the text. */
public final class IsoText {
  private static final Pattern TIME =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})");
  private static final Pattern DURATION =
      Pattern.compile(
          "P(?=\\d|T\\d)(\\d{1,6}D)?(T(?=\\d)(\\d{1,8}H)?(\\d{1,9}M)?(\\d{1,10}(\\.\\d{1,9})?S)?)?");

  private IsoText() {}

  /**
   * Returns a time of RFC 3339.
   *
   * @throws IllegalArgumentException with an example of a correct value
   */
  public static Instant time(String text) {
    if (!TIME.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be an RFC 3339 time with an offset, such as 2026-11-21T05:30:00Z, not "
              + quoted(text));
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("is not a time that exists: " + quoted(text), e);
    }
  }

  /**
   * Returns a duration of ISO 8601 in days, hours, minutes and seconds.
   *
   * @throws IllegalArgumentException with an example of a correct value
   */
  public static Duration duration(String text) {
    if (!DURATION.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be an ISO 8601 duration in days, hours, minutes and seconds, such as PT30S or PT1H30M, not "
              + quoted(text));
    }
    return Duration.parse(text);
  }

  /** Returns why {@code text} is not a {@link #time}; empty if it is one. */
  static Optional<String> timeFault(String text) {
    return fault(() -> time(text));
  }

  /** Returns why {@code text} is not a {@link #duration}; empty if it is one. */
  static Optional<String> durationFault(String text) {
    return fault(() -> duration(text));
  }

  private static Optional<String> fault(Supplier<?> reading) {
    try {
      Objects.requireNonNull(reading.get());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Returns {@code text} in quotes, cut to a length that suits a message. */
  public static String quoted(String text) {
    return text.length() <= 80
        ? "\"" + plain(text) + "\""
        : "\"" + plain(text.substring(0, 80)) + "…\" (" + text.length() + " characters)";
  }

  /** Returns the text with control characters and halves of characters as their numbers. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .forEach(
            each -> {
              boolean half = each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE;
              if (half || Character.isISOControl(each)) {
                plain.append("\\u%04x".formatted(each));
              } else {
                plain.appendCodePoint(each);
              }
            });
    return plain.toString();
  }
}
