package io.callboard.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.zone.ZoneOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The scheduling zones of a configuration: {@code {"reports":{"kind":"fixed","size":4}}}. */
final class ConfZones {
  /** The key below which they are. */
  static final String KEY = "zones";

  private static final List<String> KEYS = List.of("kind", "size");

  private ConfZones() {}

  /**
   * By name; none if {@code zones} is left empty.
   *
   * @param where names the configuration in a refusal
   * @throws Refusal with one line
   */
  static Map<String, ZoneOptions> read(String where, JsonNode zones) {
    Map<String, ZoneOptions> read = new TreeMap<>();
    if (zones.isNull() || (zones.isTextual() && zones.asText().isEmpty())) { // YAML's nothing
      return read;
    }
    requireObject(where + ": " + KEY, zones, "{\"reports\":{\"kind\":\"fixed\",\"size\":4}}");
    for (Map.Entry<String, JsonNode> entry : zones.properties()) {
      String zone = "%s: zone %s".formatted(where, entry.getKey());
      requireObject(zone, entry.getValue(), "{\"kind\":\"fixed\",\"size\":4}");
      ConfFile.requireKeys(zone, entry.getValue(), KEYS);
      read.put(entry.getKey(), zone(zone, entry.getValue()));
    }
    return read;
  }

  private static void requireObject(String what, JsonNode value, String example) {
    if (!value.isObject()) {
      throw Refusal.usage(
          "%s takes keys and values, such as %s, not %s"
              .formatted(what, example, ConfFile.shown(value)));
    }
  }

  private static ZoneOptions zone(String where, JsonNode zone) {
    JsonNode size = zone.path("size");
    if (!size.isMissingNode() && !(size.isIntegralNumber() && size.canConvertToInt())) {
      throw Refusal.usage(
          "%s: size takes a whole number of threads, not %s"
              .formatted(where, ConfFile.shown(size)));
    }
    String kind = zone.path("kind").asText("fixed");
    for (ZoneOptions.Kind known : ZoneOptions.Kind.values()) {
      if (known.label().equals(kind)) {
        try {
          return new ZoneOptions(known, size.asInt(0));
        } catch (IllegalArgumentException e) {
          throw Refusal.usage("%s: %s".formatted(where, e.getMessage()));
        }
      }
    }
    throw Refusal.usage(
        "%s: there is no kind \"%s\"; there are event-loop and fixed".formatted(where, kind));
  }
}
