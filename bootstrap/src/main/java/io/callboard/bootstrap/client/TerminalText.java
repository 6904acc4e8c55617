package io.callboard.bootstrap.client;

import java.util.regex.Pattern;

/**
 * Text that is safe to print on a terminal: without characters that move the cursor, change colours
 * or turn the direction of the text that follows.
 */
final class TerminalText {
  private static final String TURNS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029%s&&[^\\n\\t]]+".formatted(TURNS));
  private static final Pattern SPACE =
      Pattern.compile("[\\p{Cc}\\s\\u2028\\u2029%s]+".formatted(TURNS));

  private TerminalText() {}

  /** Returns the text with its lines. */
  static String text(String text) {
    return CONTROL.matcher(text).replaceAll(" ");
  }

  /** Returns the text in one line. */
  static String line(String text) {
    return SPACE.matcher(text).replaceAll(" ").strip();
  }
}
