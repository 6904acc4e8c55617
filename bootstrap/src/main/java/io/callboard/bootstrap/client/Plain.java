package io.callboard.bootstrap.client;

import java.util.regex.Pattern;

/**
 * Text of a node as a terminal may show it: without what moves its cursor, changes its colours or
 * turns the direction of what follows.
 */
final class Plain {
  private static final String TURNS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cc}\\u2028\\u2029%s&&[^\\n\\t]]+".formatted(TURNS));
  private static final Pattern SPACE =
      Pattern.compile("[\\p{Cc}\\s\\u2028\\u2029%s]+".formatted(TURNS));

  private Plain() {}

  /** Returns the text with its lines. */
  static String text(String text) {
    return CONTROL.matcher(text).replaceAll(" ");
  }

  /** Returns the text in one line. */
  static String line(String text) {
    return SPACE.matcher(text).replaceAll(" ").strip();
  }
}
