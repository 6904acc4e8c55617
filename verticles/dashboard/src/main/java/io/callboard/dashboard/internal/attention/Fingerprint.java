package io.callboard.dashboard.internal.attention;

import java.util.regex.Pattern;

/** Text that is the same for causes that differ only in ids and numbers. */
final class Fingerprint {
  private static final int MOST = 160;
  private static final Pattern ID =
      Pattern.compile("\\b[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\\b");
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:[.,:]\\d+)*");

  private Fingerprint() {}

  /** Returns the cause in one line, with {@code #} for each id and number. */
  static String of(String cause) {
    int end = cause.indexOf('\n');
    String line = OneLine.of(end < 0 ? cause : cause.substring(0, end));
    String bounded = line.length() > MOST ? line.substring(0, MOST) + "…" : line;
    return NUMBER.matcher(ID.matcher(bounded).replaceAll("#")).replaceAll("#");
  }
}
