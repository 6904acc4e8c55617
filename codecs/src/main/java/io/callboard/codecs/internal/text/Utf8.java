package io.callboard.codecs.internal.text;

import io.callboard.codecs.CodecException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decoder of texts from outside, which are UTF-8 and nothing else. */
public final class Utf8 {
  private static final int UTF_16_MARK = 0xFEFF;

  private Utf8() {}

  /**
   * Returns a text without its byte order mark.
   *
   * @param what names the text in the error
   * @throws CodecException if it is in another encoding, with its name if that can be seen, or the
   *     first byte that is not UTF-8
   */
  public static String text(String what, byte[] bytes) {
    String other = encoding(bytes);
    if (other != null) {
      throw CodecException.malformed(what, "it is %s, and must be UTF-8".formatted(other));
    }
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      throw CodecException.malformed(
          what,
          "it is not UTF-8, as it must be: byte %,d is 0x%02X"
              .formatted(in.position() + 1, bytes[in.position()]));
    }
    out.flip();
    boolean marked = out.hasRemaining() && out.get(0) == UTF_16_MARK;
    return marked ? out.subSequence(1, out.remaining()).toString() : out.toString();
  }

  /**
   * Returns the encoding that byte order mark or zeros show, as the first characters of JSON and
   * YAML are ASCII; null if it may be UTF-8.
   */
  private static @Nullable String encoding(byte[] bytes) {
    int zeros = 0; // a bit for each of the first four bytes, the first one highest
    for (int i = 0; i < 4; i++) {
      zeros = zeros << 1 | (i < bytes.length && bytes[i] == 0 ? 1 : 0);
    }
    int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF);
    boolean marked = mark == UTF_16_MARK || mark == 0xFFFE;
    if (zeros == 0b0111 || zeros == 0b1110 || (zeros == 0b1100 && !marked)) {
      return "UTF-32";
    } else if (mark == 0xFFFE && zeros == 0b0011) {
      return "UTF-32";
    }
    boolean alternates =
        bytes.length < 4
            ? bytes.length == 2 && (zeros == 0b1000 || zeros == 0b0100)
            : zeros == 0b1010 || zeros == 0b0101;
    return marked || alternates ? "UTF-16" : null;
  }
}
