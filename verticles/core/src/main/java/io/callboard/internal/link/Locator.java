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
 * Locator of the node of an actor: sends a question to the actor's public address, which is
 * answered by the node where it is registered.
 */
public final class Locator {
  private static final String HEADER = "callboard";
  private static final String LOCATE = "locate";

  private final Vertx vertx;
  private final String boot;
  private final String name;
  private final Duration timeout;

  /**
   * Place of an actor.
   *
   * @param boot the boot id of its node
   * @param durable whether it is reached through its mailbox instead of a link
   */
  record Place(String boot, String name, boolean durable) {}

  Locator(Vertx vertx, String boot, String name, Duration timeout) {
    this.vertx = vertx;
    this.boot = boot;
    this.name = name;
    this.timeout = timeout;
  }

  /**
   * Answers a message at an actor's public address if it asks where the actor is.
   *
   * @return whether it did
   */
  public boolean answers(Message<?> message, boolean durable) {
    if (!LOCATE.equals(message.headers().get(HEADER))) {
      return false;
    }
    message.reply(new JsonObject().put("boot", boot).put("name", name).put("durable", durable));
    return true;
  }

  /** Locates an actor. On the router's context. */
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
        "the node that %s is on does not answer: nothing was sent".formatted(actor),
        cause);
  }
}
