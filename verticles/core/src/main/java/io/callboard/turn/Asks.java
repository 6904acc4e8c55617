package io.callboard.turn;

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
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The asks of this node that wait for an answer. One from another node travels at most once; an ask
 * whose answer is lost times out. Thread-safe.
 */
final class Asks {
  private static final String PREFIX = "callboard.node.";
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final Promises promises;
  private final Way way;
  private final String address;
  private final int limit;
  private final ConcurrentHashMap<Long, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** One ask that waits; if it ends before its timer is set, that finds nothing. */
  private static final class Pending {
    final Promise<Object> promise;
    final Answers answers;
    volatile long timer = NO_TIMER;

    Pending(Promise<Object> promise, Answers answers) {
      this.promise = promise;
      this.answers = answers;
    }
  }

  /** What an ask takes for its answer. */
  private interface Answers {
    Object decode(MessageType type, byte[] body);

    boolean fits(Object answer);

    String expected();

    /** Of one protocol. */
    static Answers of(ProtocolCodec<?> codec) {
      return new Answers() {
        @Override
        public Object decode(MessageType type, byte[] body) {
          return codec.decode(type, body, 0, body.length);
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
        public Object decode(MessageType type, byte[] body) {
          return Json.parse("an answer", body);
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
  record Open<R>(String replyTo, long number, Reply reply, Future<R> answer) {}

  /** How an answer gets to the ask of that number at another node. */
  interface Way {
    Reply replyTo(String bootId, long number);
  }

  Asks(Vertx vertx, Promises promises, String bootId, Way way, int limit) {
    this.promises = promises;
    this.vertx = vertx;
    this.way = way;
    this.address = PREFIX + bootId;
    this.limit = limit;
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
    Promise<Object> promise = promises.here();
    if (pending.size() >= limit) {
      promise.fail(
          new CallboardException(
              Code.UNAVAILABLE, "%d asks of this node wait for an answer".formatted(limit)));
    } else {
      Pending waiting = new Pending(promise, answers);
      pending.put(number, waiting);
      waiting.timer =
          vertx.setTimer(
              Math.max(1, timeout.toMillis()),
              id -> finish(number, null, CallboardException.timeout(receiver, timeout)));
    }
    Future<R> answer = promise.future().map(cast);
    return new Open<>(address + "#" + number, number, new Local(number), answer);
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
    if (waiting.timer != NO_TIMER) {
      vertx.cancelTimer(waiting.timer);
    }
    if (failure != null) {
      waiting.promise.fail(failure);
    } else if (answer == null || !waiting.answers.fits(answer)) {
      waiting.promise.fail(
          new CallboardException(
              Code.BAD_MESSAGE,
              "the answer is %s, expected was %s"
                  .formatted(
                      answer == null ? "missing" : answer.getClass().getName(),
                      waiting.answers.expected())));
    } else {
      waiting.promise.complete(answer);
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
    return to.startsWith(PREFIX)
        ? way.replyTo(to.substring(PREFIX.length()), Long.parseLong(number))
        : Reply.NONE;
  }

  /** An answer has come from another node. */
  void answered(long number, MessageType type, byte[] body) {
    Pending waiting = pending.get(number);
    if (waiting == null) {
      return;
    }
    try {
      finish(number, waiting.answers.decode(type, body), null);
    } catch (CodecException e) {
      finish(number, null, new CallboardException(Code.BAD_MESSAGE, e.getMessage(), e));
    }
  }

  /** An ask has failed at another node. */
  void failed(long number, CallboardException cause) {
    finish(number, null, cause);
  }

  /** How many wait. */
  int waiting() {
    return pending.size();
  }

  /** Fails every ask that waits. */
  void close() {
    for (Long number : pending.keySet()) {
      finish(number, null, CallboardException.stopped("this node"));
    }
  }
}
