package io.callboard.internal.context;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Basic services for every part of a node: name and options, time, randomness, the durable context,
 * timeouts, promises, counters, and whether the node is open. Safe for use by many threads unless a
 * method says otherwise.
 */
public final class NodeContext {
  /** Text of the failure of a call before the node is open. */
  public static final String NOT_OPEN =
      "this node is not open yet: wait for the future of Callboard.create";

  private static final Logger log = LoggerFactory.getLogger(NodeContext.class);
  private static final ExponentialBackoff ROOM_PAUSE =
      Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(1));

  private final VertxInternal vertx;
  private final CallboardOptions options;
  private final Time time;
  private final TimeoutWheel timeouts;
  private final SplittableRandom seeds;
  private final RandomGenerator random;
  private final String bootId = UUID.randomUUID().toString();
  private final ContextInternal durableContext;
  private final Promises promises;
  private final Counters counters = new Counters();
  private volatile Phase phase = Phase.OPENING;

  private enum Phase {
    OPENING,
    OPEN,
    CLOSING
  }

  /**
   * @param timeouts the time for limits of actors' starts and stops, whose timers no event loop
   *     delays
   */
  public NodeContext(VertxInternal vertx, CallboardOptions options, TimeoutWheel timeouts) {
    this.vertx = vertx;
    this.options = options;
    this.time = options.time();
    this.timeouts = timeouts;
    this.seeds =
        new SplittableRandom(options.seed().orElseGet(() -> new SecureRandom().nextLong()));
    this.random = newRandom();
    this.durableContext = vertx.createEventLoopContext();
    this.promises = new Promises(vertx);
  }

  /** Opens the context: the store is open. */
  public void opened() {
    if (phase == Phase.OPENING) {
      phase = Phase.OPEN;
    }
  }

  /** Begins to close: no actor is started from now on. */
  public void closing() {
    phase = Phase.CLOSING;
  }

  public boolean isClosing() {
    return phase == Phase.CLOSING;
  }

  /** Returns the failure of an actor that would be started now; empty if one can be started. */
  public Optional<CallboardException> hindrance() {
    return switch (phase) {
      case OPENING -> Optional.of(new CallboardException(Code.STOPPED, NOT_OPEN));
      case OPEN -> Optional.empty();
      case CLOSING -> Optional.of(CallboardException.stopped("this node"));
    };
  }

  /** Returns the name of the node. */
  public String node() {
    return options.name();
  }

  /** Returns the boot id, unique for this start of this node. */
  public String bootId() {
    return bootId;
  }

  /** Returns the name and boot of the node, for the names of senders. */
  public String label() {
    return options.name() + ":" + bootId.substring(0, 8);
  }

  public VertxInternal vertx() {
    return vertx;
  }

  public CallboardOptions options() {
    return options;
  }

  /** Randomness for use on the durable context. */
  public RandomGenerator random() {
    return random;
  }

  /** Randomness that is independent of any other. */
  public RandomGenerator newRandom() {
    synchronized (seeds) {
      return seeds.split();
    }
  }

  public Promises promises() {
    return promises;
  }

  public Counters counters() {
    return counters;
  }

  public Time time() {
    return time;
  }

  public Clock clock() {
    return time.clock();
  }

  public long nanoTime() {
    return time.nanoTime();
  }

  /**
   * Returns the event loop that all durable actors of the node share for their mailboxes and
   * commits.
   */
  public ContextInternal durableContext() {
    return durableContext;
  }

  /** Runs {@code task} on a worker thread; the result completes there. */
  public <T> Future<T> onWorker(Callable<T> task) {
    Promise<T> promise = Promise.promise();
    try {
      vertx
          .workerPool()
          .executor()
          .execute(
              () -> {
                try {
                  promise.complete(task.call());
                } catch (Exception | Error e) {
                  promise.fail(e);
                }
              });
    } catch (RejectedExecutionException e) {
      promise.fail(CallboardException.stopped("this node"));
    }
    return promise.future();
  }

  /**
   * Runs {@code task} on the durable context; logs what it throws, which nobody else would report.
   */
  public void onDurableContext(Runnable task) {
    durableContext.runOnContext(v -> run(task));
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      unexpected(e);
    }
  }

  private void unexpected(Throwable cause) {
    log.error(
        "unexpected failure on the durable context of node {}", node(), Causes.readable(cause));
  }

  /** Runs a task that completes {@code done}, and fails {@code done} with what the task throws. */
  public void onDurableContext(Promise<?> done, Runnable task) {
    try {
      durableContext.runOnContext(
          v -> {
            try {
              task.run();
            } catch (RuntimeException | Error e) {
              unexpected(e);
              done.tryFail(e);
            }
          });
    } catch (RejectedExecutionException e) {
      log.debug("the Vert.x instance of node {} has closed", node(), Causes.readable(e));
      done.tryFail(CallboardException.stopped("this node"));
    }
  }

  /**
   * Runs {@code task} on the durable context; the result fails with what it throws.
   *
   * @param done completes with the result, where its future does
   */
  public <T> Future<T> fromDurableContext(Promise<T> done, Supplier<Future<T>> task) {
    onDurableContext(done, () -> task.get().onComplete(done));
    return done.future();
  }

  /** Runs {@code task} after a delay, on the durable context; the alarm ends with no actor. */
  public Time.Alarm after(Duration delay, Runnable task) {
    return time.after(durableContext, delay, () -> run(task));
  }

  /** {@link #after} that cannot be cancelled. */
  public void later(long nanos, Runnable task) {
    Time.Alarm unused = after(Duration.ofNanos(nanos), task);
  }

  /** {@link #later} in milliseconds. */
  public void afterMillis(long millis, Runnable task) {
    Time.Alarm unused = after(Duration.ofMillis(millis), task);
  }

  /**
   * Returns the pause before a full mailbox is looked at again, in nanoseconds. On the durable
   * context.
   *
   * @param failures times in a row that it was full
   */
  public long pauseNanos(int failures) {
    return ROOM_PAUSE.delay(failures, random).toNanos();
  }

  /**
   * Runs {@code task} after {@code limit} of the system's time, in the supervision zone: the last
   * resort where no thread of the actor's may be free.
   */
  public Time.Alarm limit(Duration limit, Runnable task) {
    return timeouts.after(limit.toNanos(), task);
  }

  /** {@link #limit(Duration, Runnable)}, unless {@code awaited} completes before. */
  public void limit(Future<?> awaited, Duration limit, Runnable task) {
    if (!awaited.isComplete()) {
      Time.Alarm late = limit(limit, task);
      awaited.onComplete(done -> late.cancel());
    }
  }

  /**
   * Forgets all limits: the node has closed, and nothing here is to hold what is left behind of it.
   */
  public void forgetLimits() {
    timeouts.drain(timeout -> {});
  }

  /** Ignores the failure of a future whose cause is reported another way. */
  public static void reportedElsewhere(Throwable cause) {
    if (log.isDebugEnabled()) {
      log.debug("a failure that is reported through another future", Causes.readable(cause));
    }
  }
}
