package io.callboard;

import io.callboard.codecs.Nearest;
import io.callboard.supervision.Backoff;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;

/** Reads the {@link Backoff} of an {@link ActorConfig}; what is wrong in it is refused by name. */
final class BackoffConfig {
  static final String EXAMPLE = "{\"form\":\"exponential\",\"min\":\"PT0.2S\",\"max\":\"PT30S\"}";

  private static final List<String> EXPONENTIAL = List.of("form", "min", "max", "jitter");
  private static final List<String> SLOTTED =
      List.of("form", "slotTime", "ceiling", "stayAtCeiling");

  private final JsonObject config;

  BackoffConfig(JsonObject config) {
    this.config = config;
  }

  Backoff read() {
    Object form = config.getValue("form");
    if ("exponential".equals(form)) {
      return exponential();
    } else if ("slotted".equals(form)) {
      return slotted();
    }
    throw option("form").wrong("exponential or slotted");
  }

  private Backoff exponential() {
    knowsOnly(EXPONENTIAL);
    return Backoff.exponential(
        option("min").duration(),
        option("max").duration(),
        config.containsKey("jitter") ? jitter() : Backoff.Jitter.EQUAL);
  }

  private Backoff slotted() {
    knowsOnly(SLOTTED);
    return Backoff.slotted(
        option("slotTime").duration(),
        option("ceiling").number(),
        config.containsKey("stayAtCeiling") && option("stayAtCeiling").flag());
  }

  private Backoff.Jitter jitter() {
    for (Backoff.Jitter each : Backoff.Jitter.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(config.getValue("jitter"))) {
        return each;
      }
    }
    throw option("jitter").wrong("none, equal, full or decorrelated");
  }

  private ActorConfig option(String name) {
    return new ActorConfig("backoff." + name, config.getValue(name));
  }

  private void knowsOnly(List<String> names) {
    for (String name : config.fieldNames()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException(
            "actor option backoff takes %s, not \"%s\"%s"
                .formatted(String.join(", ", names), name, Nearest.hint(name, names)));
      }
    }
  }
}
