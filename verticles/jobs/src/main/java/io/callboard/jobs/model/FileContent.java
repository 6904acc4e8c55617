package io.callboard.jobs.model;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Content of a file that a run wrote, byte by byte.
 *
 * @param base64 the bytes in base64, so that no content takes more room in a record than another of
 *     the same size
 */
public record FileContent(String base64) {
  /** Returns the content of these bytes. */
  public static FileContent of(byte[] bytes) {
    return new FileContent(Base64.getEncoder().encodeToString(bytes));
  }

  /** Returns the bytes. */
  public byte[] bytes() {
    return Base64.getDecoder().decode(base64);
  }

  /** Returns the bytes as UTF-8, malformed ones replaced. */
  public String text() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
