package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Kind {@code redis-list}: a list of Redis, from 6.2 on, whose elements are messages.
 *
 * <p>Its settings:
 *
 * <ul>
 *   <li>{@code url}, {@code user}, {@code password}, {@code certificates}, {@code lease}, {@code
 *       maxBytes} and {@code deadLimit}: as of a {@link RedisStreamKind}; what is set aside is in
 *       the stream {@code LIST:callboard:dead}
 *   <li>{@code list}: its key
 *   <li>{@code end}: where messages are taken, {@code left}, which is the default, or {@code
 *       right}; senders push to the other end, and so does Callboard
 *   <li>{@code format}: what an element is: {@code plain}, the default, is the content; an {@code
 *       envelope} is the JSON object that Callboard sends
 *   <li>{@code emitFormat}: the same for what is sent, by default {@code envelope}; a plain element
 *       has neither the id nor the headers of its message
 *   <li>{@code id}: field of the JSON object in the content that has the id of the message. Without
 *       it, and in messages that lack it, the id is a number that the element gets when it is first
 *       taken
 * </ul>
 *
 * <p>An envelope is {@code {"callboard": 1, "id": "…", "headers": {…}, "body": "…"}}; it has {@code
 * base64} in place of {@code body} if the content is no UTF-8. One from elsewhere may leave out all
 * but the body, and may have any JSON value as body.
 */
public final class RedisListKind implements SourceKind {
  /** Creates the kind. */
  public RedisListKind() {}

  @Override
  public String name() {
    return "redis-list";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("io.vertx:vertx-redis-client");
  }

  @Override
  public void check(JsonObject settings) {
    ListSettings unused = ListSettings.of(settings);
  }

  @Override
  public Source create(SourceContext its) {
    return new RedisListSource(
        its.vertx(), its.name(), ListSettings.of(its.settings()), Time.SYSTEM);
  }
}
