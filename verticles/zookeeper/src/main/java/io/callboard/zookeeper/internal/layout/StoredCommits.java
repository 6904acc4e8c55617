package io.callboard.zookeeper.internal.layout;

import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.zookeeper.internal.client.Handle;

/** Number of commits of a node, as stored in {@code /s/<node>}. */
public record StoredCommits(int f, long number) {
  static final int FORMAT = 1;

  /**
   * Decodes the number.
   *
   * @param path names the znode in errors
   */
  public static StoredCommits decode(String path, Handle.Node node) {
    StoredCommits stored = Json.read("znode " + path, node.data(), StoredCommits.class);
    Formats.check("znode " + path, stored.f, FORMAT);
    return stored;
  }

  /** Encodes a number. */
  public static byte[] encode(long number) {
    return Json.bytes(new StoredCommits(FORMAT, number));
  }
}
