package io.callboard.pollers.internal.file;

import io.callboard.codecs.internal.text.Digest;
import java.nio.charset.StandardCharsets;

/**
 * Name of the file of an emitted message: its id, with percent signs for what no name may have, or
 * a hash of the id if that is too long.
 */
final class FileName {
  /** Longest name that all common file systems know, less what a writer adds to it. */
  private static final int LONGEST = 200;

  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

  private FileName() {}

  /** Returns the name for an id that is not empty. */
  static String of(String id) {
    StringBuilder name = new StringBuilder();
    for (byte each : id.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      boolean isPlain = PLAIN.indexOf(letter) >= 0 && !(letter == '.' && name.isEmpty());
      name.append(isPlain ? String.valueOf(letter) : "%%%02X".formatted((int) letter));
    }
    return name.length() <= LONGEST ? name.toString() : "sha256-" + Digest.of(id);
  }
}
