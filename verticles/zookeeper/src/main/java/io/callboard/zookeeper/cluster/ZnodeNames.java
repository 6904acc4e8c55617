package io.callboard.zookeeper.cluster;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Event-bus addresses as znode names: a slash in an address would make a nested znode. */
public final class ZnodeNames {
  private ZnodeNames() {}

  /** Returns the znode name of an event-bus address. */
  public static String encode(String address) {
    return URLEncoder.encode(address, StandardCharsets.UTF_8);
  }

  static String decode(String node) {
    return URLDecoder.decode(node, StandardCharsets.UTF_8);
  }
}
