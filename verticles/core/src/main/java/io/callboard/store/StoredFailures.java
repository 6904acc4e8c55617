package io.callboard.store;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.supervision.Failure;
import java.util.ArrayList;
import java.util.List;

/** Stored form of the failures of an actor: JSON with a format version. */
public final class StoredFailures {
  /** The format that this code writes; it also reads every older one. */
  public static final int FORMAT = 1;

  /** Maximum bytes of the stored failures of one actor. */
  public static final int MOST_BYTES = 16 << 10;

  private StoredFailures() {}

  private record Stored(int f, List<Failure> failures) {}

  /**
   * Encodes failures in {@value #MOST_BYTES} bytes at most: stacks are left out first, then
   * failures, the oldest first.
   *
   * @param failures oldest first
   */
  public static byte[] encode(List<Failure> failures) {
    List<Failure> kept = new ArrayList<>(failures);
    byte[] bytes = bytes(kept);
    for (int i = 0; bytes.length > MOST_BYTES && i < kept.size(); i++) {
      if (kept.get(i).stack() != null) {
        kept.set(i, kept.get(i).withoutStack());
        bytes = bytes(kept);
      }
    }
    while (bytes.length > MOST_BYTES) {
      kept.remove(0);
      bytes = bytes(kept);
    }
    return bytes;
  }

  private static byte[] bytes(List<Failure> failures) {
    return Json.uncheckedBytes(new Stored(FORMAT, failures));
  }

  /**
   * Decodes the failures of an actor.
   *
   * @param what names it in errors
   * @throws CodecException if it is malformed
   * @throws StoreException of kind {@code CORRUPT} if it is of a newer format
   */
  public static List<Failure> decode(String what, byte[] bytes) {
    Formats.check(what, Json.parse(what, bytes).path("f").asInt(), FORMAT);
    return List.copyOf(Json.read(what, bytes, Stored.class).failures());
  }
}
