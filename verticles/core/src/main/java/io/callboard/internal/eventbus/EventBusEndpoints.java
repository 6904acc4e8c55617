package io.callboard.internal.eventbus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Priority;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.codecs.TraceContext;
import io.callboard.internal.link.Locator;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.Limits;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.json.EncodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints of actors on the event bus, under {@code callboard:/<path>}: for refs of other nodes,
 * which locate actors there, and for plain Vert.x code. Plain code either sends the message as an
 * object, which passes by reference, and gets the answer as an object; or it sends a {@link
 * JsonObject} with the message's logical name in {@code "@type"} (not needed where the protocol has
 * one type) and gets the answer as JSON. {@code "@version"} names a version older than this code's.
 * Headers {@code traceparent} and {@code tracestate} make the message a part of that trace; invalid
 * ones are ignored.
 */
public final class EventBusEndpoints {
  static final String TYPE = "@type";
  static final String VERSION = "@version";

  private final Vertx vertx;
  private final ContextInternal context;
  private final Locator locator;
  private final BusCodecs codecs;
  private final Map<ActorPath, Endpoint<?>> endpoints = new ConcurrentHashMap<>();

  /** Endpoint: an actor that can be reached over the event bus. */
  public record Endpoint<M>(
      ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink, MessageConsumer<Object> consumer) {}

  /** Sink of an endpoint's messages: the actor. */
  public interface Sink {
    Future<Void> deliver(Delivery delivery, Priority priority);
  }

  /**
   * @param context on which messages come and leave, so that no actor owns a link
   */
  public EventBusEndpoints(Vertx vertx, ContextInternal context, Locator locator) {
    this.vertx = vertx;
    this.context = context;
    this.locator = locator;
    this.codecs = new BusCodecs(vertx.eventBus());
  }

  /** Opens an actor's endpoint; completes when other nodes can reach it. */
  public <M> Future<Endpoint<M>> open(ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink) {
    Promise<Endpoint<M>> open = Promise.promise();
    context.runOnContext(
        v -> {
          codecs.register(codec.types());
          MessageConsumer<Object> consumer =
              vertx
                  .eventBus()
                  .consumer(
                      actor.path().busAddress(), message -> arrived(actor, codec, sink, message));
          Endpoint<M> endpoint = new Endpoint<>(actor, codec, sink, consumer);
          endpoints.put(actor.path(), endpoint);
          consumer.completion().map(endpoint).onComplete(open);
        });
    return open.future();
  }

  /** Returns the endpoint of that path; null if none is open here. */
  public @Nullable Endpoint<?> find(ActorPath path) {
    return endpoints.get(path);
  }

  /** Closes that endpoint, whatever is open under its path by now. */
  public Future<Void> close(Endpoint<?> endpoint) {
    endpoints.remove(endpoint.actor().path(), endpoint);
    return endpoint.consumer().unregister();
  }

  public Future<Void> close(ActorPath path) {
    Endpoint<?> endpoint = endpoints.remove(path);
    return endpoint == null ? Future.succeededFuture() : endpoint.consumer().unregister();
  }

  /** Closes all endpoints. */
  public Future<Void> close() {
    return Future.join(endpoints.keySet().stream().map(this::close).toList())
        .<Void>mapEmpty()
        .onComplete(done -> codecs.close());
  }

  private <M> void arrived(
      ActorRef<M> actor, ProtocolCodec<M> codec, Sink sink, Message<Object> message) {
    if (locator.answers(message, actor.durable())) {
      return;
    }
    Object body = message.body();
    boolean itself = body != null && codec.knows(body);
    BusReply reply = new BusReply(message, itself);
    M decoded;
    try {
      decoded = itself ? codec.protocol().cast(body) : plain(actor.path(), codec, body);
    } catch (CodecException | EncodeException | ClassCastException e) {
      reply.fail(new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e));
      return;
    }
    boolean answered = message.replyAddress() != null;
    sink.deliver(
            new Delivery(decoded, answered ? reply : Reply.NONE, trace(message)), Priority.NORMAL)
        .onFailure(reply::fail);
  }

  private static @Nullable TraceContext trace(Message<Object> message) {
    String parent = message.headers().get(TraceContext.TRACEPARENT);
    return parent == null
        ? null
        : TraceContext.read(parent, message.headers().get(TraceContext.TRACESTATE)).orElse(null);
  }

  private static <M> M plain(ActorPath path, ProtocolCodec<M> codec, @Nullable Object body) {
    if (!(tree(path, body) instanceof ObjectNode object)) {
      throw new ClassCastException(
          "a message for %s is a JSON object, or one of %s itself".formatted(path, codec.names()));
    }
    JsonNode name = object.remove(TYPE);
    String type = name == null ? codec.sole() : name.asText();
    if (type == null) {
      throw new ClassCastException(
          "a message for %s names its type in \"%s\": one of %s"
              .formatted(path, TYPE, codec.names()));
    }
    JsonNode version = object.remove(VERSION);
    return codec.decodeExactly(
        version == null
            ? codec.current(type)
            : MessageType.read("a message for " + path, type, version.asInt(0)),
        object);
  }

  /**
   * Parses the body of a message as JSON; JSON null for anything but a {@link JsonObject} or a
   * string.
   */
  private static JsonNode tree(ActorPath path, @Nullable Object body) {
    String text =
        body instanceof JsonObject json
            ? json.encode()
            : body instanceof String given ? given : "null";
    return Json.parse("a message for " + path, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reply over the bus, once. */
  private final class BusReply implements Reply {
    private final Message<Object> message;
    private final boolean itself;

    /**
     * @param itself whether the sender gets the answer as an object instead of JSON
     */
    BusReply(Message<Object> message, boolean itself) {
      this.message = message;
      this.itself = itself;
    }

    @Override
    public void succeed(Object answer) {
      if (message.replyAddress() == null) {
        return;
      }
      if (itself && !(answer instanceof JsonNode)) {
        DeliveryOptions options = new DeliveryOptions().setCodecName(BusCodec.ANSWER);
        context.runOnContext(v -> message.reply(answer, options));
        return;
      }
      Object body;
      try {
        byte[] json = Json.bytes(answer);
        if (json.length > Limits.MESSAGE_BYTES) {
          String what = "the answer " + MessageType.of(answer.getClass()).name();
          fail(CallboardException.tooLarge(what, json.length, Limits.MESSAGE_BYTES));
          return;
        }
        body = BusCodec.plain(Json.parse("the answer", json));
      } catch (CodecException e) {
        fail(new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e));
        return;
      }
      context.runOnContext(v -> message.reply(body));
    }

    @Override
    public void fail(Throwable cause) {
      Code code = cause instanceof CallboardException own ? own.code() : Code.HANDLER_FAILED;
      context.runOnContext(v -> message.fail(code.ordinal() + 1, Causes.message(cause)));
    }
  }
}
