package io.callboard.dashboard.internal.attention;

import io.callboard.supervision.Causes;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reading that is made on request, but no more often than at an interval; the last one is kept with
 * its time. No caller waits for a reading longer than {@value #WITHIN_MS} ms. Thread-safe.
 */
public final class CachedReading<T> {
  /** Time that a caller waits for a reading, in milliseconds. */
  public static final long WITHIN_MS = 2_000;

  /** Time after which another reading is begun though one has not ended. */
  private static final Duration GIVEN_UP = Duration.ofSeconds(10);

  private final Duration every;
  private final @Nullable Duration retry;
  private final Clock clock;
  private final Supplier<Future<T>> source;
  private Reading<T> last = new Reading<>(null, null, null, null);
  private @Nullable Begun<T> underWay;
  private @Nullable Instant begunAt;

  /**
   * Reading that has begun.
   *
   * @param answer answer of the source
   * @param taken completes with the answer once it is the last reading
   */
  private record Begun<T>(Promise<T> answer, Future<T> taken) {}

  /**
   * Creates a reading that was never made.
   *
   * @param every interval within which the last reading is the answer
   * @param source reads; may fail, or never complete
   */
  public CachedReading(Duration every, Clock clock, Supplier<Future<T>> source) {
    this(every, null, clock, source);
  }

  /**
   * Creates a reading that was never made.
   *
   * @param every interval within which the last reading is the answer
   * @param retry interval after a failure, after which nobody waits for the next reading until one
   *     has succeeded, unless the failure is as old as two of these; null for the same interval,
   *     and to wait
   * @param source reads; may fail, or never complete
   */
  public CachedReading(
      Duration every, @Nullable Duration retry, Clock clock, Supplier<Future<T>> source) {
    this.every = every;
    this.retry = retry;
    this.clock = clock;
    this.source = source;
  }

  /** Completes with the present value, or with the last one and why there is no present one. */
  public Future<Reading<T>> read() {
    return read(every);
  }

  /**
   * Completes as {@link #read()}, for a caller that needs the value at another interval than the
   * others.
   *
   * @param old age at which the last reading is not the answer any more
   */
  Future<Reading<T>> read(Duration old) {
    boolean waits = waits();
    Begun<T> reading = begin(old);
    if (reading == null || !waits) {
      return Future.succeededFuture(last());
    }
    return reading
        .taken()
        .timeout(WITHIN_MS, TimeUnit.MILLISECONDS)
        .transform(
            read -> {
              if (read.failed()) {
                failed(reading.answer(), read.cause());
              }
              return Future.succeededFuture(last());
            });
  }

  /**
   * Returns whether a caller waits: nobody waits for what failed a moment ago; after a longer while
   * that failure is no answer.
   */
  private synchronized boolean waits() {
    return retry == null
        || begunAt == null
        || last.isFresh()
        || isOldFailure(Duration.between(begunAt, clock.instant()));
  }

  /** Returns whether the last reading failed longer ago than two more would have been due. */
  private boolean isOldFailure(Duration age) {
    return retry != null && !last.isFresh() && age.compareTo(retry.multipliedBy(2)) >= 0;
  }

  /** Returns the last value, without a new reading. */
  synchronized Reading<T> last() {
    return last;
  }

  /** Returns the reading under way, begun now if it is due; null if the last one is the answer. */
  private @Nullable Begun<T> begin(Duration old) {
    Instant now = clock.instant();
    Promise<T> answer = Promise.promise();
    Future<T> taken =
        answer
            .future()
            .transform(
                read -> {
                  ended(answer, read);
                  return answer.future();
                });
    Begun<T> begun = new Begun<>(answer, taken);
    synchronized (this) {
      Duration age = begunAt == null ? null : Duration.between(begunAt, now);
      boolean due = age == null || age.isNegative() || age.compareTo(interval(old)) >= 0;
      boolean stuck = age != null && age.compareTo(GIVEN_UP) >= 0;
      if (underWay != null ? !stuck : !due) {
        return underWay;
      }
      if (age != null && underWay == null && isOldFailure(age)) {
        last = new Reading<>(last.value(), last.asOf(), last.error(), now); // nobody asked since
      }
      begunAt = now;
      underWay = begun;
    }
    begun().onComplete(answer);
    return begun;
  }

  private Duration interval(Duration old) {
    return retry == null || last.isFresh() ? old : retry;
  }

  private Future<T> begun() {
    try {
      return source.get();
    } catch (RuntimeException | Error e) {
      return Future.failedFuture(e);
    }
  }

  private synchronized void ended(Promise<T> of, AsyncResult<T> read) {
    if (underWay == null || underWay.answer() != of) {
      return; // another one was begun meanwhile
    }
    underWay = null;
    last =
        read.succeeded()
            ? Reading.of(read.result(), clock.instant())
            : last.failed(why(read.cause()), clock.instant());
  }

  /** Records that a reading takes too long; its answer still counts when it comes. */
  private synchronized void failed(Promise<T> of, Throwable cause) {
    if (underWay != null && underWay.answer() == of) {
      last = last.failed(why(cause), clock.instant());
    }
  }

  private static String why(Throwable cause) {
    return cause instanceof TimeoutException
        ? "no answer within %d s".formatted(TimeUnit.MILLISECONDS.toSeconds(WITHIN_MS))
        : Causes.message(cause);
  }
}
