package io.callboard.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.mailbox.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asks of this node that wait for an answer, and the way of answers to other nodes. An answer
 * travels over the event bus at most once; an ask whose answer is lost times out. Thread-safe.
 */
final class Asks {
  private static final Logger log = LoggerFactory.getLogger(Asks.class);
  private static final String PREFIX = "callboard.node.";

  private final Vertx vertx;
  private final String address;
  private final int limit;
  private final ConcurrentHashMap<Long, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** One ask that waits. */
  private record Pending(Promise<Object> promise, Answers answers, long timer) {}

  /** What an ask takes for its answer. */
  private interface Answers {
    Object decode(MessageType type, JsonNode body);

    boolean fits(Object answer);

    String expected();

    /** Of one protocol. */
    static Answers of(ProtocolCodec<?> codec) {
      return new Answers() {
        @Override
        public Object decode(MessageType type, JsonNode body) {
          return codec.decode(type, body);
        }

        @Override
        public boolean fits(Object answer) {
          return codec.protocol().isInstance(answer);
        }

        @Override
        public String expected() {
          return codec.protocol().getName();
        }
      };
    }

    /** Anything that can be written as JSON. */
    static Answers any() {
      return new Answers() {
        @Override
        public Object decode(MessageType type, JsonNode body) {
          return body;
        }

        @Override
        public boolean fits(Object answer) {
          return true;
        }

        @Override
        public String expected() {
          return "an answer";
        }
      };
    }
  }

  /** An ask on its way: what to put into the envelope, and the answer. */
  record Open<R>(String replyTo, Reply reply, Future<R> answer) {}

  Asks(Vertx vertx, String bootId, int limit) {
    this.vertx = vertx;
    this.address = PREFIX + bootId;
    this.limit = limit;
  }

  /** Starts to listen for answers. */
  Future<Void> start() {
    return vertx.eventBus().<String>consumer(address, this::arrived).completion();
  }

  /** Opens an ask; fails it if too many wait. */
  <R> Open<R> open(ActorPath receiver, Class<R> answer, Duration timeout) {
    return open(receiver, Answers.of(ProtocolCodec.of(answer)), timeout, answer::cast);
  }

  /** Opens an ask whose answer is only passed on, as JSON. */
  Open<Object> openAny(ActorPath receiver, Duration timeout) {
    return open(receiver, Answers.any(), timeout, answer -> answer);
  }

  private <R> Open<R> open(
      ActorPath receiver, Answers answers, Duration timeout, Function<Object, R> cast) {
    long number = numbers.incrementAndGet();
    Promise<Object> promise = Promises.here();
    if (pending.size() >= limit) {
      promise.fail(
          new CallboardException(
              Code.UNAVAILABLE, "%d asks of this node wait for an answer".formatted(limit)));
    } else {
      long timer =
          vertx.setTimer(
              Math.max(1, timeout.toMillis()),
              id -> finish(number, null, CallboardException.timeout(receiver, timeout)));
      pending.put(number, new Pending(promise, answers, timer));
    }
    return new Open<>(address + "#" + number, new Local(number), promise.future().map(cast));
  }

  private final class Local implements Reply {
    private final long number;

    Local(long number) {
      this.number = number;
    }

    @Override
    public void succeed(Object answer) {
      finish(number, answer, null);
    }

    @Override
    public void fail(Throwable cause) {
      finish(number, null, cause);
    }
  }

  private void finish(long number, @Nullable Object answer, @Nullable Throwable failure) {
    Pending waiting = pending.remove(number);
    if (waiting == null) {
      return;
    }
    vertx.cancelTimer(waiting.timer());
    if (failure != null) {
      waiting.promise().fail(failure);
    } else if (answer == null || !waiting.answers().fits(answer)) {
      waiting
          .promise()
          .fail(
              new CallboardException(
                  Code.BAD_MESSAGE,
                  "the answer is %s, expected was %s"
                      .formatted(
                          answer == null ? "missing" : answer.getClass().getName(),
                          waiting.answers().expected())));
    } else {
      waiting.promise().complete(answer);
    }
  }

  /** Where the answer to a stored message goes. */
  Reply replyTo(@Nullable String replyTo) {
    int hash = replyTo == null ? -1 : replyTo.lastIndexOf('#');
    if (replyTo == null || hash < 0) {
      return Reply.NONE;
    }
    String to = replyTo.substring(0, hash);
    String number = replyTo.substring(hash + 1);
    if (!number.chars().allMatch(Character::isDigit) || number.isEmpty() || number.length() > 18) {
      return Reply.NONE;
    }
    if (to.equals(address)) {
      return new Local(Long.parseLong(number));
    }
    return to.startsWith(PREFIX) ? new Remote(to, Long.parseLong(number)) : Reply.NONE;
  }

  private final class Remote implements Reply {
    private final String to;
    private final long number;

    Remote(String to, long number) {
      this.to = to;
      this.number = number;
    }

    @Override
    public void succeed(Object answer) {
      vertx.eventBus().send(to, encodeAnswer(number, answer).toString());
    }

    @Override
    public void fail(Throwable cause) {
      vertx.eventBus().send(to, encodeFailure(number, cause).toString());
    }
  }

  static ObjectNode encodeAnswer(long number, Object answer) {
    MessageType type = MessageType.of(answer.getClass());
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("f", 1).put("c", number);
    node.put("t", type.name()).put("v", type.version());
    node.set("b", Json.tree(answer));
    return node;
  }

  static ObjectNode encodeFailure(long number, Throwable cause) {
    Code code = cause instanceof CallboardException ours ? ours.code() : Code.HANDLER_FAILED;
    return JsonNodeFactory.instance
        .objectNode()
        .put("f", 1)
        .put("c", number)
        .put("code", code.name())
        .put("message", String.valueOf(cause.getMessage()));
  }

  private void arrived(Message<String> message) {
    try {
      JsonNode node = Json.parse("an answer", message.body().getBytes(StandardCharsets.UTF_8));
      long number = node.path("c").asLong();
      Pending waiting = pending.get(number);
      if (waiting == null) {
        return;
      }
      if (node.has("code")) {
        finish(number, null, decodeFailure(node));
      } else {
        MessageType type = new MessageType(node.path("t").asText("?"), node.path("v").asInt(1));
        finish(number, waiting.answers().decode(type, node.path("b")), null);
      }
    } catch (CodecException | ClassCastException | IllegalArgumentException e) {
      log.warn("an answer from the event bus cannot be read", e);
    }
  }

  static CallboardException decodeFailure(JsonNode node) {
    String name = node.path("code").asText();
    for (Code code : Code.values()) {
      if (code.name().equals(name)) {
        return new CallboardException(code, node.path("message").asText());
      }
    }
    return new CallboardException(Code.HANDLER_FAILED, name + ": " + node.path("message").asText());
  }

  /** Fails every ask that waits. */
  void close() {
    for (Long number : pending.keySet()) {
      finish(number, null, CallboardException.stopped("this node"));
    }
  }
}
