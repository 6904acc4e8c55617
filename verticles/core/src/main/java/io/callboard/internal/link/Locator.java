package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * Finds the node of an actor: a question to the actor's public address, answered by the node where
 * it is registered.
 */
public final class Locator {
  private static final String HEADER = "callboard";
  private static final String LOCATE = "locate";

  private final Vertx vertx;
  private final String boot;
  private final String name;
  private final Duration timeout;

  /**
   * Where an actor is.
   *
   * @param boot the node's
   * @param durable if so it is reached through its mailbox, not through a link
   */
  record Place(String boot, String name, boolean durable) {}

  Locator(Vertx vertx, String boot, String name, Duration timeout) {
    this.vertx = vertx;
    this.boot = boot;
    this.name = name;
    this.timeout = timeout;
  }

  /** Whether a message at an actor's public address asks where it is, and was answered. */
  public boolean answers(Message<?> message, boolean durable) {
    if (!LOCATE.equals(message.headers().get(HEADER))) {
      return false;
    }
    message.reply(new JsonObject().put("boot", boot).put("name", name).put("durable", durable));
    return true;
  }

  /** On the router's context. */
  Future<Place> locate(ActorPath actor) {
    DeliveryOptions options =
        new DeliveryOptions().addHeader(HEADER, LOCATE).setSendTimeout(timeout.toMillis());
    return vertx
        .eventBus()
        .<JsonObject>request(actor.busAddress(), "", options)
        .map(
            reply ->
                new Place(
                    reply.body().getString("boot"),
                    reply.body().getString("name"),
                    reply.body().getBoolean("durable")));
  }

  static CallboardException translate(ActorPath actor, Throwable cause) {
    if (cause instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS) {
      return CallboardException.noSuchActor(actor);
    }
    return new CallboardException(
        Code.UNAVAILABLE,
        "the node of %s does not answer: nothing was sent".formatted(actor),
        cause);
  }
}
