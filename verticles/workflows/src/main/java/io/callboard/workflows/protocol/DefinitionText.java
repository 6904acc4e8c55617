package io.callboard.workflows.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Canonical JSON of a definition as it is stored and sent: as it is, or compressed if it is large.
 *
 * @param json the JSON; null if it is compressed
 * @param packed the JSON compressed with gzip, in base64; null if it is not compressed
 */
public record DefinitionText(@Nullable JsonNode json, @Nullable String packed) {
  /** Maximum size of a definition as canonical JSON. */
  public static final int MOST_BYTES = 4 << 20;

  /** Size from which it is compressed. */
  static final int PACKED_FROM = 32 << 10;

  /** Maximum size as it is stored, so that it fits a turn of its actor. */
  public static final int MOST_STORED = 768 << 10;

  /**
   * Returns the text of a definition. Takes some time for a large one.
   *
   * @throws IllegalArgumentException if it is over a limit, which the message names
   */
  public static DefinitionText of(JsonNode definition) {
    byte[] bytes = Json.uncheckedBytes(definition);
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "the definition has %,d bytes as JSON; the limit is %,d: split it into sub-workflows"
              .formatted(bytes.length, MOST_BYTES));
    } else if (bytes.length < PACKED_FROM) {
      return new DefinitionText(definition, null);
    }
    String packed = Base64.getEncoder().encodeToString(compressed(bytes));
    if (packed.length() > MOST_STORED) {
      throw new IllegalArgumentException(
          "the definition has %,d bytes compressed; the limit of a stored record is %,d: split it into sub-workflows"
              .formatted(packed.length(), MOST_STORED));
    }
    return new DefinitionText(null, packed);
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

  /** Returns whether it is large, so that reading it takes some time. */
  public boolean isLarge() {
    return packed != null;
  }

  /** Returns the size that it takes where it is stored. */
  int stored() {
    return packed == null ? PACKED_FROM : packed.length();
  }

  /**
   * Returns the canonical JSON as text.
   *
   * @throws UncheckedIOException if it is damaged
   */
  public String text() {
    if (packed == null) {
      return Objects.requireNonNull(json, "a definition without a text").toString();
    }
    byte[] bytes = Base64.getDecoder().decode(packed);
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
