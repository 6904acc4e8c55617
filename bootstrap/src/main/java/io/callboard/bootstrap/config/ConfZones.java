package io.callboard.bootstrap.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.Kind;
import io.callboard.zone.ZoneOptions.WhenFull;
import java.util.ArrayList;
import java.util.List;
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
   * @throws StartupFailure with one line that has every mistake
   */
  public static Map<String, ZoneOptions> read(String where, JsonNode zones) {
    Map<String, ZoneOptions> read = new TreeMap<>();
    if (zones.isNull() || (zones.isTextual() && zones.asText().isEmpty())) { // empty in YAML
      return read;
    }
    List<FieldDefect> defects = new ArrayList<>();
    Fields fields = new Fields(zones, "/" + KEY, defects::add);
    fields.noNulls();
    for (String name : fields.names()) {
      fields.convert(name, fields::nested, zone -> read.put(name, zone(name, zone)));
    }
    StartupFailure.requireNone(where, defects);
    return read;
  }

  private static ZoneOptions zone(String name, Fields zone) {
    ZoneOptions always = ZoneDefaults.zones().get(name);
    Kind otherwise = always == null ? Kind.FIXED : always.kind();
    Kind kind = zone.text("kind").map(Kind::of).orElse(otherwise);
    for (String key : zone.names()) {
      boolean ofAnother = Stream.of(Kind.values()).anyMatch(k -> k.keys().contains(key));
      if (ofAnother) {
        kind.requireKey(key); // with a message of its own
      }
    }
    zone.noOthersThan(kind.keys());
    ZoneOptions options = more(zone, basic(kind, zone, kind == otherwise ? always : null));
    options.check(name);
    return options;
  }

  /**
   * Returns the zone without the keys of its kind.
   *
   * @param always default options of the zone, if they are of that kind; else null
   */
  private static ZoneOptions basic(Kind kind, Fields zone, @Nullable ZoneOptions always) {
    return switch (kind) {
      case EVENT_LOOP -> ZoneOptions.eventLoop();
      case FIXED -> ZoneOptions.fixed(threads(zone, "size", always));
      case ELASTIC ->
          ZoneOptions.elastic(zone.number("core").orElse(1), threads(zone, "max", null));
      case FORK_JOIN -> {
        ZoneOptions options = ZoneOptions.forkJoin(threads(zone, "parallelism", always));
        yield always == null
            ? options
            : options.queue(always.queue()).blockedAfter(always.blockedAfter());
      }
      case VIRTUAL -> ZoneOptions.virtual();
      case EXECUTOR -> throw new IllegalArgumentException("an executor is given in code");
    };
  }

  private static int threads(Fields zone, String key, @Nullable ZoneOptions always) {
    return always == null
        ? zone.required(key, zone::number).orElse(1)
        : zone.number(key).orElse(always.size());
  }

  private static ZoneOptions more(Fields zone, ZoneOptions options) {
    ZoneOptions more = options;
    more = zone.convert("queue", zone::number, more::queue).orElse(more);
    more =
        zone.convert("whenFull", key -> zone.text(key).map(WhenFull::of), more::whenFull)
            .orElse(more);
    more = zone.convert("keepAlive", zone::duration, more::keepAlive).orElse(more);
    return zone.convert("blockedAfter", zone::duration, more::blockedAfter).orElse(more);
  }
}
