package io.callboard.dashboard.attention;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Names as segments of a path. */
final class Encoded {
  private Encoded() {}

  static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
