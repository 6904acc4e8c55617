package io.callboard.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.link.Locator;
import io.callboard.mailbox.Reply;
import io.callboard.store.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Actors on the event bus, under {@code callboard:/<path>}: for refs of other nodes, which ask
 * there where the actor is, and for plain Vert.x code, which sends a {@link JsonObject} with the
 * message's logical name in {@code "@type"} (not needed where the protocol has one type) and gets
 * the answer as a {@link JsonObject}.
 */
final class BusGate {
  private static final String TYPE = "@type";

  private final Vertx vertx;
  private final ContextInternal context;
  private final Locator locator;
  private final Map<ActorPath, Door<?>> doors = new ConcurrentHashMap<>();

  /** An actor that can be reached from elsewhere. */
  record Door<M>(
      ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink, MessageConsumer<Object> consumer) {}

  /** How a message that came over the bus reaches its actor. */
  interface Sink {
    Future<Void> deliver(Object message, String from, @Nullable Reply reply);
  }

  /**
   * @param context on which everything comes and leaves, so that no actor owns a link
   */
  BusGate(Vertx vertx, ContextInternal context, Locator locator) {
    this.vertx = vertx;
    this.context = context;
    this.locator = locator;
  }

  /** Registers an actor; completes when other nodes can be told. */
  <M> Future<Void> open(ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink) {
    Promise<Void> open = Promise.promise();
    context.runOnContext(
        v -> {
          MessageConsumer<Object> consumer =
              vertx
                  .eventBus()
                  .consumer(
                      actor.path().busAddress(), message -> arrived(actor, codec, sink, message));
          doors.put(actor.path(), new Door<>(actor, codec, sink, consumer));
          consumer.completion().onComplete(open);
        });
    return open.future();
  }

  /** Null if no actor of that path is open here. */
  @Nullable Door<?> find(ActorPath path) {
    return doors.get(path);
  }

  Future<Void> close(ActorPath path) {
    Door<?> door = doors.remove(path);
    return door == null ? Future.succeededFuture() : door.consumer().unregister();
  }

  Future<Void> close() {
    return Future.join(doors.keySet().stream().map(this::close).toList()).mapEmpty();
  }

  private <M> void arrived(
      ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink, Message<Object> message) {
    if (locator.answers(message, actor.durable())) {
      return;
    }
    boolean answered = message.replyAddress() != null;
    BusReply reply = new BusReply(message);
    M decoded;
    try {
      decoded = plain(actor.path(), codec, message.body());
    } catch (CodecException | ClassCastException e) {
      reply.fail(new CallboardException(Code.BAD_MESSAGE, String.valueOf(e.getMessage()), e));
      return;
    }
    sink.deliver(decoded, "event bus", answered ? reply : null).onFailure(reply::fail);
  }

  private static JsonNode parse(ActorPath path, String body) {
    return Json.parse("a message for " + path, body.getBytes(StandardCharsets.UTF_8));
  }

  private static <M> M plain(ActorPath path, ProtocolCodec<M> codec, Object body) {
    JsonNode node = parse(path, body instanceof JsonObject json ? json.encode() : (String) body);
    if (!(node instanceof ObjectNode object)) {
      throw new ClassCastException("a message for %s is a JSON object".formatted(path));
    }
    JsonNode name = object.remove(TYPE);
    if (name == null && codec.types().size() > 1) {
      throw new ClassCastException(
          "a message for %s names its type in \"%s\": one of %s"
              .formatted(path, TYPE, codec.names()));
    }
    String type = name == null ? codec.names().iterator().next() : name.asText();
    return codec.decode(new MessageType(type, 1), object);
  }

  /** Answers over the bus, once. */
  private final class BusReply implements Reply {
    private final Message<Object> message;

    BusReply(Message<Object> message) {
      this.message = message;
    }

    @Override
    public void succeed(Object answer) {
      if (message.replyAddress() == null) {
        return;
      }
      byte[] json = Json.bytes(answer);
      if (json.length > Limits.MESSAGE_BYTES) {
        fail(CallboardException.tooLarge("the answer", json.length, Limits.MESSAGE_BYTES));
      } else {
        JsonObject body = new JsonObject(new String(json, StandardCharsets.UTF_8));
        context.runOnContext(v -> message.reply(body));
      }
    }

    @Override
    public void fail(Throwable cause) {
      Code code = cause instanceof CallboardException own ? own.code() : Code.HANDLER_FAILED;
      context.runOnContext(
          v -> message.fail(code.ordinal() + 1, String.valueOf(cause.getMessage())));
    }
  }
}
