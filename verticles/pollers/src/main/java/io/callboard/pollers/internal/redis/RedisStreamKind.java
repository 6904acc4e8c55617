package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Kind {@code redis-stream}: a consumer group of a stream of Redis, from 6.2 on.
 *
 * <p>Its settings:
 *
 * <ul>
 *   <li>{@code url}: {@code redis://HOST:PORT/DATABASE}, or {@code rediss://} for TLS; user and
 *       password may be in it
 *   <li>{@code user}, {@code password}: who to be, if the URL does not say it
 *   <li>{@code certificates}: PEM file with the certificates that may sign the server's; by default
 *       Java's
 *   <li>{@code stream}: its key
 *   <li>{@code group}: name of the consumer group, by default {@code callboard}; it is made if it
 *       is not there
 *   <li>{@code begin}: what a group that is made begins with, the {@code first} entry of the
 *       stream, which is the default, or the first {@code new} one
 *   <li>{@code body}: field with the content of a message, by default {@code body}; the others are
 *       its headers. {@code *} takes all fields as a JSON object
 *   <li>{@code id}: field with the id that the sender gave; without it, and in entries that lack
 *       the field, the id is Redis's. Set it if the sender repeats itself, as Callboard does, which
 *       sends its ids as {@code id}
 *   <li>{@code delete}: whether an entry is deleted from the stream when it is complete or set
 *       aside, by default false; only for a stream that no other group reads
 *   <li>{@code lease}: time after which entries of a dead client are taken over, by default {@code
 *       PT30S}
 *   <li>{@code maxBytes}: most bytes of the fields of an entry, by default 1 MiB; a larger one is
 *       set aside
 *   <li>{@code deadLimit}: most entries of {@code STREAM:callboard:dead}, by default 100,000; when
 *       it is full, nothing more is set aside, and the source says so
 * </ul>
 */
public final class RedisStreamKind implements SourceKind {
  /** Creates the kind. */
  public RedisStreamKind() {}

  @Override
  public String name() {
    return "redis-stream";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("io.vertx:vertx-redis-client");
  }

  @Override
  public void check(JsonObject settings) {
    StreamSettings unused = StreamSettings.of(settings);
  }

  @Override
  public Source create(SourceContext its) {
    return new RedisStreamSource(
        its.vertx(), its.name(), StreamSettings.of(its.settings()), Time.SYSTEM);
  }
}
