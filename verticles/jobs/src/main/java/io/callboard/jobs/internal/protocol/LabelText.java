package io.callboard.jobs.internal.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Stored form of labels, as a part of one line: form-encoded pairs, without commas. */
public final class LabelText {
  private LabelText() {}

  static String of(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(
                label ->
                    URLEncoder.encode(label.getKey(), UTF_8)
                        + '='
                        + URLEncoder.encode(label.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
  }

  /** Returns labels for people. */
  public static String words(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(", "));
  }

  static Map<String, String> parse(String text) {
    if (text.isEmpty()) {
      return Map.of();
    }
    Map<String, String> labels = new TreeMap<>();
    for (String label : text.split("&", -1)) {
      int equals = label.indexOf('=');
      labels.put(
          URLDecoder.decode(label.substring(0, equals), UTF_8),
          URLDecoder.decode(label.substring(equals + 1), UTF_8));
    }
    return Map.copyOf(labels);
  }
}
