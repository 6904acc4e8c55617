package io.callboard.dashboard.internal.rest;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Range of bytes that a request asks for (RFC 9110, 14.1.2). Pure.
 *
 * @param offset position of the first byte, from the end if negative
 * @param length number of bytes; null for up to the end
 */
record ByteRange(long offset, @Nullable Long length) {
  private static final Pattern HEADER =
      Pattern.compile("bytes=(?:(\\d{1,15})-(\\d{1,15})?|-(\\d{1,15}))");

  /**
   * Returns the range; empty if the header is not a range of bytes, or is several ranges, which the
   * RFC allows to ignore.
   */
  static Optional<ByteRange> parse(@Nullable String header) {
    Matcher range = HEADER.matcher(header == null ? "" : header.strip());
    if (!range.matches()) {
      return Optional.empty();
    }
    String first = range.group(1);
    if (first == null) {
      long last = Long.parseLong(range.group(3));
      return last == 0 ? Optional.empty() : Optional.of(new ByteRange(-last, null));
    }
    long offset = Long.parseLong(first);
    String last = range.group(2);
    if (last == null) {
      return Optional.of(new ByteRange(offset, null));
    }
    long length = Long.parseLong(last) - offset + 1;
    return length < 1 ? Optional.empty() : Optional.of(new ByteRange(offset, length));
  }
}
