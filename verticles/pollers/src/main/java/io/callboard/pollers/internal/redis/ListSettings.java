package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link RedisListKind}, which documents them. */
record ListSettings(
    RedisEndpoint server,
    String list,
    boolean takesLeft,
    boolean takesEnvelopes,
    boolean sendsEnvelopes,
    @Nullable String id,
    Duration lease,
    int maxBytes,
    int deadLimit) {
  private static final List<String> FORMATS = List.of("plain", "envelope");

  static ListSettings of(JsonObject json) {
    Settings settings = new Settings(json);
    ListSettings read =
        new ListSettings(
            RedisEndpoint.of(settings),
            settings.required("list"),
            settings.word("end", List.of("left", "right")).orElse("left").equals("left"),
            settings.word("format", FORMATS).orElse("plain").equals("envelope"),
            settings.word("emitFormat", FORMATS).orElse("envelope").equals("envelope"),
            settings.text("id").orElse(null),
            RedisLimits.lease(settings),
            RedisLimits.maxBytes(settings),
            RedisLimits.deadLimit(settings));
    settings.end();
    if (read.takesEnvelopes && read.id != null) {
      throw settings.refused("id", "\"id\" is for \"format\": \"plain\"; an envelope has its own");
    }
    return read;
  }

  /** Returns a key that belongs to the list. */
  String key(String what) {
    return list + ":callboard:" + what;
  }

  /** Returns the end that messages are taken from. */
  String takenEnd() {
    return takesLeft ? "LEFT" : "RIGHT";
  }
}
