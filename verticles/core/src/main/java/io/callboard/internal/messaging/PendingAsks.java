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
import io.callboard.supervision.Causes;
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
 * Asks of this node that wait for an answer, by number. An ask to another node is sent at most
 * once; if its answer is lost, it times out. Thread-safe.
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

  /** Asks that do not count for the limit. */
  private final AtomicInteger always = new AtomicInteger();

  private volatile boolean closed;

  /**
   * Factory of the reply to an ask of another node, from that node's boot id and the ask's number.
   */
  public interface Way {
    Reply replyTo(String bootId, long number);
  }

  /**
   * @param actors the actor at an address; null if the address is not an actor's
   * @param whyNot why an actor has not answered; null if nothing is known
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

  /** Encodes the address of the ask of that number at that node. */
  static String address(String bootId, long number) {
    return PREFIX + bootId + "#" + number;
  }

  /** One pending ask, and the way back to it. It ends when it leaves the timeout wheel. */
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

    /** Returns the time for which the ask waits. */
    Duration timeout() {
      return timeout;
    }

    /**
     * Returns the actor expected to answer: the one that was asked, or the one it forwarded the ask
     * to.
     */
    ActorPath receiver() {
      ActorPath further = passedOnTo;
      return further == null ? receiver : further;
    }

    /** Returns the actor whose handler waits for the answer; null if there is none. */
    @Nullable ActorPath asker() {
      return asker;
    }

    /** Records that the handler of {@code actor} waits for the answer. */
    void awaitedBy(ActorPath actor) {
      asker = actor;
    }

    /** Records that the ask was forwarded to that actor. */
    void passedOnTo(ActorPath actor) {
      passedOnTo = actor;
    }

    /** Records that its answer no longer depends on the handlers of any one actor. */
    public void givenAway() {
      givenAway = true;
    }

    boolean isGivenAway() {
      return givenAway;
    }

    public Future<R> answer() {
      return promise.future();
    }

    /** Returns the number under which the answer arrives from another node. */
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
        fail(new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e));
      }
    }
  }

  /** Opens an ask; fails it if too many wait. */
  public <R> Ask<R> open(ActorPath receiver, Class<R> answer, Duration timeout) {
    return open(new Ask<>(receiver, timeout, ProtocolCodec.of(answer)));
  }

  /** Opens an ask whose answer is only forwarded, as it is or as JSON. */
  Ask<Object> openAny(ActorPath receiver, Duration timeout) {
    return open(new Ask<>(receiver, timeout, null));
  }

  /** Opens an ask without a timeout, which does not count for the limit. */
  Ask<Object> openAlways(ActorPath receiver) {
    Ask<Object> ask = new Ask<>(receiver, Time.LONGEST, null);
    always.incrementAndGet();
    ask.answer().onComplete(done -> always.decrementAndGet());
    add(ask);
    return ask;
  }

  private <R> Ask<R> open(Ask<R> ask) {
    if (waiting() >= limit) {
      ask.promise.fail(
          new CallboardException(
              Code.UNAVAILABLE, "%d asks of this node wait for an answer".formatted(limit)));
    } else {
      add(ask);
    }
    return ask;
  }

  private void add(Ask<?> ask) {
    if (closed) {
      ask.promise.fail(stopped());
      return;
    }
    wheel.add(ask, ask.timeout.toNanos());
    if (closed) { // meanwhile
      ask.fail(stopped());
    }
  }

  private static CallboardException stopped() {
    return CallboardException.stopped("this node");
  }

  /** Returns the reply for the address of a stored or forwarded message. */
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

  /** Takes an answer from another node. */
  void answered(long number, MessageType type, byte[] body) {
    Ask<?> waiting = travelling.get(number);
    if (waiting != null) {
      waiting.came(type, body);
    }
  }

  /** Takes the failure of an ask at another node. */
  void failed(long number, CallboardException cause) {
    Ask<?> waiting = travelling.get(number);
    if (waiting != null) {
      waiting.fail(cause);
    }
  }

  /** Returns the number of pending asks. */
  public int waiting() {
    return wheel.size() - always.get();
  }

  /** Fails every pending ask, and those to come. */
  public void close() {
    closed = true;
    CallboardException why = stopped();
    wheel.drain(
        entry -> {
          Ask<?> ask = (Ask<?>) entry;
          ask.ended();
          ask.promise.fail(why);
        });
  }
}
