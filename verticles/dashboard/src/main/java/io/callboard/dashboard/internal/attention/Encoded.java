package io.callboard.dashboard.internal.attention;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names as segments of a path. */
final class Encoded {
  private Encoded() {}

  static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns a path that begins with a slash, each of its segments by itself. */
  static String path(String path) {
    return Stream.of(path.substring(1).split("/", -1))
        .map(Encoded::segment)
        .collect(Collectors.joining("/", "/", ""));
  }
}
