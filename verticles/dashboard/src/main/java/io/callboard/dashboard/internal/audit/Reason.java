package io.callboard.dashboard.internal.audit;

import io.callboard.jobs.model.Masked;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reason that a caller gives for a write, in a header. Pure. */
public final class Reason {
  /** Header that has it: text in ASCII, or UTF-8 with percent signs as in an address. */
  public static final String HEADER = "X-Callboard-Reason";

  /** Maximum number of characters that are kept of a reason. */
  static final int MOST = 200;

  private Reason() {}

  /**
   * Returns the reason in one line, without control characters of terminals and what looks like a
   * secret; empty if none was given.
   */
  public static String of(@Nullable String header) {
    if (header == null) {
      return "";
    }
    return line(Masked.text(decoded(header)));
  }

  /**
   * Returns a text in one line, cut to the length of a reason, without control characters of
   * terminals.
   */
  public static String line(String text) {
    return line(text, MOST);
  }

  /**
   * Returns a text in one line of at most so many characters, without control characters of
   * terminals.
   */
  static String line(String text, int most) {
    String line = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]+", " ").strip();
    return line.codePointCount(0, line.length()) <= most
        ? line
        : line.substring(0, line.offsetByCodePoints(0, most)) + "…";
  }

  private static String decoded(String header) {
    try {
      return URLDecoder.decode(header.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return header; // a percent sign that means itself
    }
  }
}
