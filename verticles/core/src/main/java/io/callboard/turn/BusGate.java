package io.callboard.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.Segment;
import io.callboard.mailbox.Reply;
import io.callboard.store.Limits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Actors on the event bus, under {@code callboard:/<path>}: for refs of other nodes, and for plain
 * Vert.x code, which sends a {@link JsonObject} with the message's logical name in {@code "@type"}
 * (not needed where the protocol has one type) and gets the answer as a {@link JsonObject}.
 */
final class BusGate {
  /** Tells a ref's envelope from plain JSON. */
  private static final String HEADER = "callboard";

  private static final String TELL = "tell";
  private static final String ASK = "ask";
  private static final String TYPE = "@type";

  private final Vertx vertx;
  private final Map<ActorPath, MessageConsumer<Object>> consumers = new ConcurrentHashMap<>();

  /** How a message that came over the bus reaches its actor. */
  interface Sink {
    Future<Void> deliver(Object message, String from, @Nullable Reply reply);
  }

  BusGate(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Registers an actor; completes when other nodes can be told. */
  <M> Future<Void> open(ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink) {
    MessageConsumer<Object> consumer =
        vertx
            .eventBus()
            .consumer(
                actor.path().busAddress(), message -> arrived(actor.path(), codec, sink, message));
    consumers.put(actor.path(), consumer);
    return consumer.completion();
  }

  Future<Void> close(ActorPath path) {
    MessageConsumer<Object> consumer = consumers.remove(path);
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  Future<Void> close() {
    return Future.join(consumers.keySet().stream().map(this::close).toList()).mapEmpty();
  }

  private <M> void arrived(
      ActorPath path, ProtocolCodec<M> codec, Sink sink, Message<Object> message) {
    String kind = message.headers().get(HEADER);
    boolean ours = kind != null;
    boolean answered = ours ? ASK.equals(kind) : message.replyAddress() != null;
    BusReply reply = new BusReply(message, ours);
    M decoded;
    String from;
    try {
      if (ours) {
        Envelope envelope =
            Segment.decode("a message for " + path, parse(path, (String) message.body()));
        decoded = codec.decode(envelope.type(), envelope.body());
        from = envelope.id().sender();
      } else {
        decoded = plain(path, codec, message.body());
        from = "event bus";
      }
    } catch (CodecException | ClassCastException e) {
      reply.fail(new CallboardException(Code.BAD_MESSAGE, String.valueOf(e.getMessage()), e));
      return;
    }
    sink.deliver(decoded, from, answered ? reply : null)
        .onComplete(
            done -> {
              if (done.failed()) {
                reply.fail(done.cause());
              } else if (!answered && message.replyAddress() != null) {
                message.reply("");
              }
            });
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
  private record BusReply(Message<Object> message, boolean ours) implements Reply {
    @Override
    public void succeed(Object answer) {
      if (message.replyAddress() != null) {
        message.reply(
            ours
                ? Asks.encodeAnswer(0, answer).toString()
                : new JsonObject(Json.tree(answer).toString()));
      }
    }

    @Override
    public void fail(Throwable cause) {
      Code code = cause instanceof CallboardException own ? own.code() : Code.HANDLER_FAILED;
      message.fail(code.ordinal() + 1, String.valueOf(cause.getMessage()));
    }
  }

  /** Sends to an actor that runs on another node; succeeds when it is in the mailbox there. */
  Future<Void> tell(ActorPath to, Object message, MessageId id, Duration timeout) {
    return request(to, message, id, timeout, TELL).mapEmpty();
  }

  /** Asks an actor that runs on another node. */
  <R> Future<R> ask(ActorPath to, Object message, MessageId id, Class<R> answer, Duration timeout) {
    ProtocolCodec<R> codec = ProtocolCodec.of(answer);
    return request(to, message, id, timeout, ASK)
        .map(
            reply -> {
              JsonNode node = parse(to, (String) reply.body());
              return codec.decode(
                  new MessageType(node.path("t").asText("?"), node.path("v").asInt(1)),
                  node.path("b"));
            });
  }

  private Future<Message<Object>> request(
      ActorPath to, Object message, MessageId id, Duration timeout, String kind) {
    String body = Segment.encode(Envelope.of(id, message, null)).toString();
    if (body.length() > Limits.MESSAGE_BYTES) {
      return Future.failedFuture(
          CallboardException.tooLarge("the message to " + to, body.length(), Limits.MESSAGE_BYTES));
    }
    DeliveryOptions options =
        new DeliveryOptions().setSendTimeout(timeout.toMillis()).addHeader(HEADER, kind);
    return vertx
        .eventBus()
        .request(to.busAddress(), body, options)
        .recover(cause -> Future.failedFuture(translate(to, timeout, cause)));
  }

  private static Throwable translate(ActorPath to, Duration timeout, Throwable cause) {
    if (!(cause instanceof ReplyException reply)) {
      return CallboardException.unavailable(
          "the node of %s cannot be reached".formatted(to), cause);
    }
    if (reply.failureType() == ReplyFailure.NO_HANDLERS) {
      return CallboardException.noSuchActor(to);
    }
    if (reply.failureType() == ReplyFailure.TIMEOUT) {
      return CallboardException.timeout(to, timeout);
    }
    int ordinal = reply.failureCode() - 1;
    Code[] codes = Code.values();
    Code code = ordinal >= 0 && ordinal < codes.length ? codes[ordinal] : Code.HANDLER_FAILED;
    return new CallboardException(code, String.valueOf(reply.getMessage()), reply);
  }
}
