package io.callboard.codecs.internal.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a text or of bytes, in hexadecimal digits: whole, or its first half. */
public final class Digest {
  private static final int HALF = 32;

  private Digest() {}

  /** Returns the first 128 bits of the digest of a text, 32 digits: short for a path. */
  public static String of(String text) {
    return whole(text).substring(0, HALF);
  }

  /** Returns the first 128 bits of the digest of bytes, 32 digits. */
  public static String of(byte[] bytes) {
    return whole(bytes).substring(0, HALF);
  }

  /** Returns the digest of a text, 64 digits. */
  public static String whole(String text) {
    return whole(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the digest of bytes, one part after the other, 64 digits. */
  public static String whole(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
