package io.callboard.guard;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.admin.StatusDetails;
import io.callboard.proxy.ProxyActor;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker in front of an actor that uses a dangerous resource: a service that may fail or
 * hang. It forwards messages to the guarded actor, its child at {@code <its path>/guarded}, and
 * holds each until that has handled it.
 *
 * <pre>{@code
 * callboard.spawn("prices", Guard.of(PriceClient::new, new GuardOptions<GetPrice>().limit(500)));
 * }</pre>
 *
 * <p><b>An attempt succeeds</b> when the handler and its future succeed, or when the message is
 * answered or refused before: so {@code reply} acknowledges, and {@code refuse} says that a retry
 * is useless. With {@code replyWhen} it succeeds with the answer. <b>It fails</b> if the handler or
 * the answer fails, after the deadline, or if the guarded actor is down. A guarded actor that is
 * still in its handler then is replaced.
 *
 * <p><b>After a failure</b> the circuit is open: no message is forwarded until the backoff has
 * elapsed; then one message is tried, the oldest. If it succeeds, the others follow in their order,
 * and the backoff starts over; if not, the next wait is longer. Messages that come meanwhile are
 * held, or go to the {@linkplain GuardOptions#fallback fallback}. The asker gets the answer of the
 * attempt that succeeds, or of the fallback. A message may be tried more than once: its effects on
 * the outside world are at least once.
 *
 * <p><b>A message is given up</b>, as a dead letter whose ask fails with the cause, when its
 * attempts are used up, or when it is the oldest that waits and the guard holds more than its
 * limit. A message whose ask has timed out, or whose deadline has passed, is not tried.
 *
 * <p><b>A delivery</b> of a durable actor is repeated until it is confirmed; while the guard holds
 * one attempt of it, further ones are dropped.
 *
 * <p>The guard is volatile: it holds messages in memory. They survive all lives of the guarded
 * actor; they become dead letters when the guard ends, and are lost with its process. Senders that
 * need more put a durable actor before it.
 *
 * @param <M> the protocol of the guarded actor
 */
public final class Guard<M> extends ProxyActor<M> implements StatusDetails {
  private static final String CHILD = "guarded";

  private final Supplier<? extends Actor<M>> factory;
  private final Class<M> protocol;
  private final GuardOptions<M> options;
  private volatile @Nullable GuardBuffer<M> buffer;

  private Guard(Supplier<? extends Actor<M>> factory, Class<M> protocol, GuardOptions<M> options) {
    this.factory = factory;
    this.protocol = protocol;
    this.options = options;
  }

  /**
   * Returns a factory of guards for the actors that {@code factory} makes.
   *
   * @param factory makes a new object for each life of the guarded actor, and one more for each
   *     start of the guard, to know the protocol
   * @throws IllegalArgumentException for inconsistent options
   */
  public static <M> Supplier<Actor<M>> of(
      Supplier<? extends Actor<M>> factory, GuardOptions<M> options) {
    Objects.requireNonNull(
        factory,
        "factory is null: give a supplier that makes a new actor each time, such as PriceClient::new");
    Objects.requireNonNull(options, "options is null: give new GuardOptions<>() for the defaults");
    GuardOptions<M> own = new GuardOptions<>(options);
    var unused = own.settings();
    return () -> new Guard<>(factory, protocol(factory), own);
  }

  private static <M> Class<M> protocol(Supplier<? extends Actor<M>> factory) {
    Actor<M> probe =
        Objects.requireNonNull(factory.get(), "the factory of the guarded actor made no actor");
    return probe.messageType();
  }

  @Override
  public Class<M> messageType() {
    return protocol;
  }

  @Override
  protected void protocol(Protocol<M> on) {
    on.others(message -> buffer().offered(hold(message)));
  }

  @Override
  protected Future<?> started() {
    GuardBuffer<M> begun = new GuardBuffer<>(path(), options, new Own());
    buffer = begun;
    return begun.start();
  }

  private GuardBuffer<M> buffer() {
    return Objects.requireNonNull(buffer, "a guard that has started has one");
  }

  @Override
  protected Future<?> stopped() {
    buffer().end();
    return Future.succeededFuture();
  }

  @Override
  public GuardStatus statusDetails() {
    GuardBuffer<M> begun = buffer;
    return begun == null ? GuardStatus.NEW : begun.status();
  }

  /** Services of this actor for its buffer. */
  private final class Own implements GuardEnvironment<M> {
    private final Context here = vertx.getOrCreateContext();
    private final RandomGenerator random = Guard.this.random();

    @Override
    public Time time() {
      return Guard.this.time();
    }

    @Override
    public RandomGenerator random() {
      return random;
    }

    @Override
    public Time.Alarm after(Duration delay, Runnable task) {
      return time().after(here, delay, task);
    }

    @Override
    public boolean isOver() {
      return Guard.this.isOver();
    }

    @Override
    public Future<ActorRef<M>> spawn() {
      return spawnChild(CHILD, factory, options.actor());
    }

    @Override
    public ActorRef<M> ref() {
      return callboard().ref(child(), protocol);
    }

    @Override
    public Future<Void> stop() {
      return callboard().stop(child());
    }

    private String child() {
      return path().child(CHILD).toString();
    }
  }
}
