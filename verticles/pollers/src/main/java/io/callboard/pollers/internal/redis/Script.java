package io.callboard.pollers.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Lua script that a server of Redis runs as one atomic step. */
enum Script {
  STREAM_TAKE,
  STREAM_EXTEND,
  STREAM_COMPLETE,
  STREAM_BACK,
  STREAM_DEAD,
  STREAM_LAG,
  STREAM_SWEEP,
  LIST_TAKE,
  LIST_EXTEND,
  LIST_COMPLETE,
  LIST_BACK,
  LIST_DEAD,
  LIST_LAG;

  private final String text;
  private final String digest;

  Script() {
    String file = name().toLowerCase(Locale.ROOT).replace('_', '-') + ".lua";
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks " + file);
      }
      byte[] bytes = in.readAllBytes();
      text = new String(bytes, StandardCharsets.UTF_8);
      digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  String text() {
    return text;
  }

  /** Returns the name by which servers know the script once they have seen it. */
  String digest() {
    return digest;
  }
}
