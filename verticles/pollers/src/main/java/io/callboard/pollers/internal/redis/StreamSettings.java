package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link RedisStreamKind}, which documents them. */
record StreamSettings(
    RedisEndpoint server,
    String stream,
    String group,
    boolean fromNew,
    String body,
    @Nullable String id,
    boolean delete,
    Duration lease,
    int maxBytes,
    int deadLimit) {
  /** Body that is an object of all fields. */
  static final String ALL_FIELDS = "*";

  static StreamSettings of(JsonObject json) {
    Settings settings = new Settings(json);
    StreamSettings read =
        new StreamSettings(
            RedisEndpoint.of(settings),
            settings.required("stream"),
            settings.text("group").orElse("callboard"),
            settings.word("begin", List.of("first", "new")).orElse("first").equals("new"),
            settings.text("body").orElse("body"),
            settings.text("id").orElse(null),
            settings.flag("delete").orElse(false),
            RedisLimits.lease(settings),
            RedisLimits.maxBytes(settings),
            RedisLimits.deadLimit(settings));
    settings.end();
    if (read.body.equals(read.id)) {
      throw settings.refused("id", "\"id\" is not the field of the \"body\"");
    }
    return read;
  }

  /** Key of the ids that are delivered again later: of this group, for each has its own. */
  String delayed() {
    return "%s:callboard:%s:delayed".formatted(stream, group);
  }

  String dead() {
    return stream + ":callboard:dead";
  }

  /** Field in which the body is sent. */
  String bodyField() {
    return body.equals(ALL_FIELDS) ? "body" : body;
  }

  /** Field in which the id is sent. */
  String idField() {
    return id == null ? "id" : id;
  }
}
