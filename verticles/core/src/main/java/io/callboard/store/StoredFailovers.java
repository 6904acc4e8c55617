package io.callboard.store;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import java.util.List;

/**
 * Stored form of the failovers of a role: JSON with a format version.
 *
 * @param f the format
 * @param role its name, of which its partition is but a hash
 * @param failovers oldest first
 */
public record StoredFailovers(int f, String role, List<Failover> failovers) {
  /** The format that this code writes; it also reads every older one. */
  public static final int FORMAT = 1;

  /** Kept of one role; the oldest goes. */
  public static final int MOST = 50;

  /** Creates the stored form; the list is copied. */
  public StoredFailovers {
    failovers = List.copyOf(failovers);
  }

  /** Encodes the failovers of a role, the last {@value #MOST} of {@code all}. */
  public static byte[] encode(String role, List<Failover> all) {
    List<Failover> last = all.subList(Math.max(0, all.size() - MOST), all.size());
    return Json.uncheckedBytes(new StoredFailovers(FORMAT, role, last));
  }

  /**
   * Decodes the failovers of a role.
   *
   * @param what names it in errors
   * @throws CodecException if it is malformed
   * @throws StoreException of kind {@code CORRUPT} if it is of a newer format
   */
  public static StoredFailovers decode(String what, byte[] bytes) {
    Formats.check(what, Json.parse(what, bytes).path("f").asInt(), FORMAT);
    return Json.read(what, bytes, StoredFailovers.class);
  }
}
