package io.callboard.dashboard.internal.attention;

import io.callboard.codecs.internal.text.CutText;
import java.util.regex.Pattern;

/** Text that others wrote, in one line that is not too long. */
final class OneLine {
  /** Maximum number of characters. */
  static final int MOST = 500;

  private static final Pattern SPACE =
      Pattern.compile(
          "[\\p{Cc}\\s\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+");

  private OneLine() {}

  /** Returns a text with spaces for line ends and for characters that control a terminal. */
  static String of(String text) {
    String line = SPACE.matcher(text).replaceAll(" ").strip();
    return line.length() <= MOST ? line : CutText.head(line, MOST) + "…";
  }
}
