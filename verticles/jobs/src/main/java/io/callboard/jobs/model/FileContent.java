package io.callboard.jobs.model;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Content of a file that a run wrote, byte by byte.
 *
 * @param base64 the bytes in base64, so that no content takes more room in a record than another of
 *     the same size
 * @param deflated whether the bytes are compressed (RFC 1950); null for no
 */
public record FileContent(String base64, @Nullable Boolean deflated) {
  /** Returns the content of these bytes, compressed if that makes it smaller. */
  public static FileContent of(byte[] bytes) {
    ByteArrayOutputStream small = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(small)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean smaller = small.size() < bytes.length;
    byte[] kept = smaller ? small.toByteArray() : bytes;
    return new FileContent(Base64.getEncoder().encodeToString(kept), smaller ? true : null);
  }

  /** Returns the bytes. */
  public byte[] bytes() {
    byte[] kept = Base64.getDecoder().decode(base64);
    if (!Boolean.TRUE.equals(deflated)) {
      return kept;
    }
    try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(kept))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes as UTF-8, malformed ones replaced. */
  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
