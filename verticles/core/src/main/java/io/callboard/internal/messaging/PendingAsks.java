package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.context.Promises;
import io.callboard.internal.context.TimeoutWheel;
import io.callboard.internal.mailbox.Reply;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The asks of this node that wait for an answer. One from another node travels at most once; an ask
 * whose answer is lost times out. Thread-safe.
 */
public final class PendingAsks {
  private static final String PREFIX = "callboard.node.";

  private final TimeoutWheel wheel;
  private final Promises promises;
  private final Way way;
  private final Function<String, @Nullable ActorRef<?>> actors;
  private final String bootId;
  private final Function<ActorPath, @Nullable String> whyNot;
  private final int limit;
  private final ConcurrentHashMap<Long, Ask<?>> travelling = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** Those that do not count. */
  private final AtomicInteger always = new AtomicInteger();

  /** How an answer gets to the ask of that number at another node. */
  public interface Way {
    Reply replyTo(String bootId, long number);
  }

  /**
   * @param actors the actor that an address means; null if it means none
   * @param whyNot why an actor has not answered; null if nothing is known of it
   */
  public PendingAsks(
      TimeoutWheel wheel,
      Promises promises,
      String bootId,
      Way way,
      Function<String, @Nullable ActorRef<?>> actors,
      Function<ActorPath, @Nullable String> whyNot,
      int limit) {
    this.wheel = wheel;
    this.promises = promises;
    this.way = way;
    this.actors = actors;
    this.bootId = bootId;
    this.whyNot = whyNot;
    this.limit = limit;
  }

  /** As the ask of that number at that node is written with a message. */
  static String address(String bootId, long number) {
    return PREFIX + bootId + "#" + number;
  }

  /** One ask that waits, and the way back to it. It ends when it leaves the wheel. */
  public final class Ask<R> extends TimeoutWheel.Entry implements Reply {
    private final ActorPath receiver;
    private final Duration timeout;
    private final @Nullable ProtocolCodec<R> codec;
    private final Promise<R> promise;
    private volatile long number;
    private volatile @Nullable ActorPath passedOnTo;
    private volatile @Nullable ActorPath asker;
    private volatile boolean givenAway;

    Ask(ActorPath receiver, Duration timeout, @Nullable ProtocolCodec<R> codec) {
      this.receiver = receiver;
      this.timeout = Time.atMostLongest(timeout);
      this.codec = codec;
      this.promise = promises.here();
    }

    /** How long it waits. */
    Duration timeout() {
      return timeout;
    }

    /** Whose answer it waits for: the one that was asked, or to whom that one passed it on. */
    ActorPath receiver() {
      ActorPath further = passedOnTo;
      return further == null ? receiver : further;
    }

    /** The one in whose handler it is waited for; null if there is none. */
    @Nullable ActorPath asker() {
      return asker;
    }

    /** The handler of {@code actor} waits for it. */
    void awaitedBy(ActorPath actor) {
      asker = actor;
    }

    /** It is passed on to that actor. */
    void passedOnTo(ActorPath actor) {
      passedOnTo = actor;
    }

    /** Its answer is no matter of any one actor's handlers any more. */
    public void givenAway() {
      givenAway = true;
    }

    boolean isGivenAway() {
      return givenAway;
    }

    public Future<R> answer() {
      return promise.future();
    }

    /** Under which its answer comes from elsewhere. */
    long number() {
      if (number == 0) {
        long next = numbers.incrementAndGet();
        number = next;
        travelling.put(next, this);
        if (isOver()) {
          travelling.remove(next);
        }
      }
      return number;
    }

    @Override
    public String address() {
      return PendingAsks.address(bootId, number());
    }

    @Override
    public boolean isOver() {
      return !isWaiting();
    }

    @Override
    @SuppressWarnings("unchecked")
    public void succeed(@Nullable Object answer) {
      boolean fits = answer != null && (codec == null || codec.protocol().isInstance(answer));
      if (!fits) {
        fail(
            new CallboardException(
                Code.BAD_MESSAGE,
                "the answer is %s, expected was %s"
                    .formatted(
                        answer == null ? "missing" : answer.getClass().getName(),
                        codec == null ? "an answer" : codec.protocol().getName())));
      } else if (wheel.remove(this)) {
        ended();
        promise.complete((R) answer);
      }
    }

    @Override
    public void fail(Throwable cause) {
      if (wheel.remove(this)) {
        ended();
        promise.fail(cause);
      }
    }

    @Override
    public void expired() {
      ended();
      ActorPath last = receiver();
      String why = whyNot.apply(last);
      promise.fail(
          why == null
              ? CallboardException.timeout(receiver, timeout)
              : CallboardException.timeout(receiver, timeout, why));
    }

    private void ended() {
      if (number != 0) {
        travelling.remove(number);
      }
    }

    private void came(MessageType type, byte[] body) {
      try {
        succeed(
            codec == null
                ? Json.parse("an answer", body)
                : codec.decode(type, body, 0, body.length));
      } catch (CodecException e) {
        fail(new CallboardException(Code.BAD_MESSAGE, e.getMessage(), e));
      }
    }
  }

  /** Opens an ask; fails it if too many wait. */
  public <R> Ask<R> open(ActorPath receiver, Class<R> answer, Duration timeout) {
    return open(new Ask<>(receiver, timeout, ProtocolCodec.of(answer)));
  }

  /** Opens an ask whose answer is only passed on, as it is or as JSON. */
  Ask<Object> openAny(ActorPath receiver, Duration timeout) {
    return open(new Ask<>(receiver, timeout, null));
  }

  /** Opens one that waits as long as it takes, and does not count for the limit. */
  Ask<Object> openAlways(ActorPath receiver) {
    Ask<Object> ask = new Ask<>(receiver, Time.LONGEST, null);
    always.incrementAndGet();
    ask.answer().onComplete(done -> always.decrementAndGet());
    wheel.add(ask, Time.LONGEST.toNanos());
    return ask;
  }

  private <R> Ask<R> open(Ask<R> ask) {
    if (waiting() >= limit) {
      ask.promise.fail(
          new CallboardException(
              Code.UNAVAILABLE, "%d asks of this node wait for an answer".formatted(limit)));
    } else {
      wheel.add(ask, ask.timeout.toNanos());
    }
    return ask;
  }

  /** Where the answer to a stored or forwarded message goes. */
  public Reply replyTo(@Nullable String address) {
    if (address == null) {
      return Reply.NONE;
    }
    ActorRef<?> actor = actors.apply(address);
    if (actor != null) {
      return new ActorReply(actor, address);
    }
    int hash = address.lastIndexOf('#');
    String number = address.substring(hash + 1);
    if (hash < 0 || number.length() > 18 || !number.matches("\\d+")) {
      return Reply.NONE;
    }
    String node = address.substring(0, hash);
    if (node.equals(PREFIX + bootId)) {
      Ask<?> ask = travelling.get(Long.parseLong(number));
      return ask == null ? Reply.NONE : ask;
    }
    return node.startsWith(PREFIX)
        ? way.replyTo(node.substring(PREFIX.length()), Long.parseLong(number))
        : Reply.NONE;
  }

  /** An answer has come from another node. */
  void answered(long number, MessageType type, byte[] body) {
    Ask<?> waiting = travelling.get(number);
    if (waiting != null) {
      waiting.came(type, body);
    }
  }

  /** An ask has failed at another node. */
  void failed(long number, CallboardException cause) {
    Ask<?> waiting = travelling.get(number);
    if (waiting != null) {
      waiting.fail(cause);
    }
  }

  /** How many wait. */
  public int waiting() {
    return wheel.size() - always.get();
  }

  /** Fails every ask that waits. */
  public void close() {
    CallboardException why = CallboardException.stopped("this node");
    wheel.drain(
        entry -> {
          Ask<?> ask = (Ask<?>) entry;
          ask.ended();
          ask.promise.fail(why);
        });
  }
}
