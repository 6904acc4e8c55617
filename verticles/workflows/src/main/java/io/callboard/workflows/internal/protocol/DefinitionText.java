package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Canonical JSON of a definition as it is stored and sent: the object, or, if it is large, a text
 * that is the object compressed with gzip, in base64. Pure.
 */
public final class DefinitionText {
  /** Maximum size of a definition as canonical JSON. */
  public static final int MOST_BYTES = 4 << 20;

  /** Size from which it is compressed. */
  static final int PACKED_FROM = 32 << 10;

  /** Maximum size as it is stored, so that it fits a turn of its actor. */
  public static final int MOST_STORED = 768 << 10;

  private DefinitionText() {}

  /**
   * Returns a definition as it is stored. Takes some time for a large one.
   *
   * @throws IllegalArgumentException if it is over a limit, which the message names
   */
  public static JsonNode pack(JsonNode definition) {
    byte[] bytes = Json.uncheckedBytes(definition);
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "the definition has %,d bytes as JSON; the limit is %,d: split it into sub-workflows"
              .formatted(bytes.length, MOST_BYTES));
    } else if (bytes.length < PACKED_FROM) {
      return definition;
    }
    String packed = Base64.getEncoder().encodeToString(compressed(bytes));
    if (packed.length() > MOST_STORED) {
      throw new IllegalArgumentException(
          "the definition has %,d bytes compressed; the limit of a stored record is %,d: split it into sub-workflows"
              .formatted(packed.length(), MOST_STORED));
    }
    return TextNode.valueOf(packed);
  }

  private static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Returns whether a stored definition is large, so that reading it takes some time. */
  public static boolean isLarge(JsonNode stored) {
    return stored.isTextual();
  }

  /** Returns how many bytes a stored definition takes. */
  static int size(JsonNode stored) {
    return stored.isTextual() ? stored.textValue().length() : Json.uncheckedBytes(stored).length;
  }

  /**
   * Returns the canonical JSON of a stored definition.
   *
   * @throws UncheckedIOException if it is damaged
   */
  public static String unpack(JsonNode stored) {
    if (!stored.isTextual()) {
      return stored.toString();
    }
    byte[] bytes = Base64.getDecoder().decode(stored.textValue());
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] unpacked = gzip.readNBytes(MOST_BYTES + 1);
      if (unpacked.length > MOST_BYTES) {
        throw new IOException("it has more than %,d bytes".formatted(MOST_BYTES));
      }
      return new String(unpacked, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("a stored definition is damaged: " + e.getMessage(), e);
    }
  }
}
