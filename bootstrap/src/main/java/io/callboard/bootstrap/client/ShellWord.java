package io.callboard.bootstrap.client;

import java.util.regex.Pattern;

/** Word of a command, quoted where a POSIX shell would not read it as it is. */
final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
