package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Reference to bytes in the blob log of a cell: the body of a large message, which is not in the
 * mailbox of its receiver, a large snapshot, or a content that an actor keeps.
 *
 * @param id unique among the blobs of its receiver or owner; letters, digits and {@code . _ -}
 * @param bytes of the body; nothing beyond them is ever read
 * @param parts in which the store keeps it; each costs an operation when the blob goes
 * @param crc the CRC-32C of the body, eight hexadecimal digits
 */
public record BlobRef(String id, int bytes, int parts, String crc) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final Pattern CRC = Pattern.compile("[0-9a-f]{8}");
  private static final int MOST_PARTS = 1_000;

  /** End of the ids of blobs that their owners keep; no other id ends so. */
  public static final String KEPT = ".kept";

  /**
   * Creates a reference.
   *
   * @throws IllegalArgumentException if it cannot be a reference that {@link #of} made
   */
  public BlobRef {
    if (!ID.matcher(id).matches() || !CRC.matcher(crc).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" and \"%s\" are not the id and checksum of a blob".formatted(id, crc));
    }
    if (bytes < 1 || parts < 1 || parts > Math.min(bytes, MOST_PARTS)) {
      throw new IllegalArgumentException(
          "blob %s has %d bytes in %d parts".formatted(id, bytes, parts));
    }
  }

  /**
   * Returns a reference to a body that the store keeps in parts.
   *
   * @param partBytes of each part but the last
   */
  public static BlobRef of(String id, byte[] body, int partBytes) {
    int parts = (body.length + partBytes - 1) / partBytes;
    return new BlobRef(id, body.length, parts, crc(body));
  }

  /** Returns whether its owner keeps it until it is removed: no commit names it. */
  @JsonIgnore
  public boolean isKept() {
    return id.endsWith(KEPT);
  }

  /** Returns whether {@code body} has the length and the checksum of what was written. */
  public boolean fits(byte[] body) {
    return body.length == bytes && crc(body).equals(crc);
  }

  private static String crc(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body, 0, body.length);
    return LineBuffer.hex(crc);
  }
}
