package io.callboard.internal.unit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Segment that could not be read, for people to look at: as text if it is UTF-8, else in Base64.
 *
 * @param bytes of the whole segment
 * @param cut bytes at its end that are not kept
 * @param text the kept part; null if it is not text
 * @param base64 the kept part; null if it is text
 */
public record UnreadableSegment(
    int bytes, int cut, @Nullable String text, @Nullable String base64) {
  /** Limit of the kept bytes; as JSON they are up to six times as many. */
  public static final int MOST_BYTES = 64 << 10;

  static UnreadableSegment of(byte[] segment) {
    int kept = Math.min(segment.length, MOST_BYTES);
    for (int end = kept; end > kept - 4 && end >= 0; end--) {
      String text = text(segment, end);
      if (text != null) {
        return new UnreadableSegment(segment.length, segment.length - end, text, null);
      }
      if (kept == segment.length) {
        break; // no character was cut
      }
    }
    String base64 = Base64.getEncoder().encodeToString(Arrays.copyOf(segment, kept));
    return new UnreadableSegment(segment.length, segment.length - kept, null, base64);
  }

  private static @Nullable String text(byte[] bytes, int length) {
    ByteBuffer kept = ByteBuffer.wrap(bytes, 0, length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(kept).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
