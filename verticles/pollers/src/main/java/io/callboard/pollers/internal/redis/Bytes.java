package io.callboard.pollers.internal.redis;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Bytes that may be a text. */
final class Bytes {
  private Bytes() {}

  /** Returns the text of these bytes, or null if they are not UTF-8. */
  static @Nullable String text(Buffer bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.getBytes()))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
