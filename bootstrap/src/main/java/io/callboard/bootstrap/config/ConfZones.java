package io.callboard.bootstrap.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.Kind;
import io.callboard.zone.ZoneOptions.WhenFull;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the scheduling zones of a configuration: {@code {"reports":{"kind":"fixed","size":4}}}.
 */
public final class ConfZones {
  /** Key below which they are. */
  public static final String KEY = "zones";

  private ConfZones() {}

  /**
   * Returns the zones by name; none if {@code zones} is left empty.
   *
   * @param where names the configuration in a message
   * @throws StartupFailure with one line
   */
  public static Map<String, ZoneOptions> read(String where, JsonNode zones) {
    Map<String, ZoneOptions> read = new TreeMap<>();
    if (zones.isNull() || (zones.isTextual() && zones.asText().isEmpty())) { // empty in YAML
      return read;
    }
    requireObject(where + ": " + KEY, zones, "{\"reports\":{\"kind\":\"fixed\",\"size\":4}}");
    for (Map.Entry<String, JsonNode> entry : zones.properties()) {
      String zone = "%s: zone %s".formatted(where, entry.getKey());
      requireObject(zone, entry.getValue(), "{\"kind\":\"fixed\",\"size\":4}");
      read.put(entry.getKey(), zone(zone, entry.getKey(), entry.getValue()));
    }
    return read;
  }

  private static void requireObject(String what, JsonNode value, String example) {
    if (!value.isObject()) {
      throw StartupFailure.usage(
          "%s takes keys and values, such as %s, not %s"
              .formatted(what, example, ConfFile.shown(value)));
    }
  }

  private static ZoneOptions zone(String where, String name, JsonNode zone) {
    try {
      ZoneOptions always = ZoneDefaults.zones().get(name);
      Kind otherwise = always == null ? Kind.FIXED : always.kind();
      Kind kind = Kind.of(zone.path("kind").asText(otherwise.label()));
      requireKeys(where, kind, zone);
      ZoneOptions options =
          more(where, zone, basic(where, kind, zone, kind == otherwise ? always : null));
      options.check(name);
      return options;
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage("%s: %s".formatted(where, e.getMessage()));
    }
  }

  /** Refuses a key of another kind of zone, with a message of its own. */
  private static void requireKeys(String where, Kind kind, JsonNode zone) {
    for (Map.Entry<String, JsonNode> entry : zone.properties()) {
      String key = entry.getKey();
      boolean ofAnother = Stream.of(Kind.values()).anyMatch(k -> k.keys().contains(key));
      if (ofAnother) {
        kind.requireKey(key);
      }
    }
    ConfFile.requireKeys(where, zone, kind.keys());
  }

  /**
   * Returns the zone without the keys of its kind.
   *
   * @param always default options of the zone, if they are of that kind; else null
   */
  private static ZoneOptions basic(
      String where, Kind kind, JsonNode zone, @Nullable ZoneOptions always) {
    return switch (kind) {
      case EVENT_LOOP -> ZoneOptions.eventLoop();
      case FIXED ->
          ZoneOptions.fixed(
              always == null || zone.has("size") ? needed(where, zone, "size") : always.size());
      case ELASTIC ->
          ZoneOptions.elastic(number(where, zone, "core", 1), needed(where, zone, "max"));
      case FORK_JOIN ->
          always == null
              ? ZoneOptions.forkJoin(needed(where, zone, "parallelism"))
              : ZoneOptions.forkJoin(number(where, zone, "parallelism", always.size()))
                  .queue(always.queue())
                  .blockedAfter(always.blockedAfter());
      case VIRTUAL -> ZoneOptions.virtual();
      case EXECUTOR -> throw new IllegalArgumentException("an executor is given in code");
    };
  }

  private static ZoneOptions more(String where, JsonNode zone, ZoneOptions options) {
    ZoneOptions more = options;
    if (zone.has("queue")) {
      more = more.queue(number(where, zone, "queue", 0));
    }
    if (zone.has("whenFull")) {
      more = more.whenFull(WhenFull.of(zone.path("whenFull").asText()));
    }
    if (zone.has("keepAlive")) {
      more = more.keepAlive(duration(where, zone, "keepAlive"));
    }
    return zone.has("blockedAfter")
        ? more.blockedAfter(duration(where, zone, "blockedAfter"))
        : more;
  }

  private static int needed(String where, JsonNode zone, String key) {
    if (!zone.has(key)) {
      throw StartupFailure.usage("%s: %s is missing".formatted(where, key));
    }
    return number(where, zone, key, 0);
  }

  private static int number(String where, JsonNode zone, String key, int otherwise) {
    JsonNode value = zone.path(key);
    if (!value.isMissingNode() && !(value.isIntegralNumber() && value.canConvertToInt())) {
      throw StartupFailure.usage(
          "%s: %s takes a whole number of %s, not %s"
              .formatted(
                  where, key, key.equals("queue") ? "slices" : "threads", ConfFile.shown(value)));
    }
    return value.asInt(otherwise);
  }

  private static Duration duration(String where, JsonNode zone, String key) {
    JsonNode value = zone.path(key);
    try {
      return Duration.parse(value.isTextual() ? value.asText() : "");
    } catch (DateTimeParseException e) {
      throw StartupFailure.usage(
          "%s: %s takes an ISO 8601 duration such as PT5S, not %s"
              .formatted(where, key, ConfFile.shown(value)));
    }
  }
}
