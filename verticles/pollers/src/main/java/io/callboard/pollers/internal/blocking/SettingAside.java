package io.callboard.pollers.internal.blocking;

import io.callboard.pollers.source.SourceMessage;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undeliverable messages that a source has taken, as one without an id, until they are set aside:
 * moved to the dead letters of their system. What cannot be set aside holds nothing else: each is
 * tried by itself, after a pause that grows, and the source says so as its {@link
 * io.callboard.pollers.source.Source#trouble}. All methods are called on the context of the source.
 */
public final class SettingAside {
  /** When as many are left, nothing is polled until they are fewer. */
  static final int MOST = 1_000;

  /** Time for which a poll waits until what it brought is set aside. */
  static final Duration WAIT = Duration.ofSeconds(3);

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final ExponentialBackoff PAUSES =
      Backoff.exponential(FIRST_PAUSE, Duration.ofMinutes(1));
  private static final Logger LOG = LoggerFactory.getLogger(SettingAside.class);

  private final Vertx vertx;
  private final Time time;
  private final String source;
  private final BiFunction<String, String, Future<Void>> dead;
  private final Map<String, Unfit> left = new LinkedHashMap<>(); // by id

  /** Round that is under way; null if none is. */
  private @Nullable Promise<Void> round;

  /** Message that is to be set aside. */
  private static final class Unfit {
    final String id;
    final String cause;
    String receipt;
    long dueNanos;
    int failures;
    @Nullable Throwable failure;

    Unfit(String id, String receipt, String cause, long dueNanos) {
      this.id = id;
      this.receipt = receipt;
      this.cause = cause;
      this.dueNanos = dueNanos;
    }
  }

  /**
   * Creates an empty list of undeliverable messages.
   *
   * @param source the source, for people
   * @param dead sets a receipt aside with its cause
   */
  public SettingAside(
      Vertx vertx, Time time, String source, BiFunction<String, String, Future<Void>> dead) {
    this.vertx = vertx;
    this.time = time;
    this.source = source;
    this.dead = dead;
  }

  /** Adds a message that is not taken again before it is set aside. */
  public void add(String receipt, String cause) {
    add(receipt, receipt, cause);
  }

  /**
   * Adds a message that may be taken again. If it has come again, its new receipt takes the place
   * of the old one, and its pause goes on.
   *
   * @param id the same at each delivery, no other's
   */
  public void add(String id, String receipt, String cause) {
    Unfit known = left.get(id);
    if (known == null) {
      LOG.warn("{}: message {} is set aside: {}", source, id, cause);
      left.put(id, new Unfit(id, receipt, cause, time.nanoTime()));
    } else {
      known.receipt = receipt;
    }
  }

  /** Returns whether so many messages are left that no more may be polled. */
  public boolean isFull() {
    return left.size() >= MOST;
  }

  /** Returns how many messages could not be set aside, and why; empty if there are none. */
  public Optional<String> trouble() {
    List<Unfit> failed = left.values().stream().filter(each -> each.failure != null).toList();
    return failed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%,d messages cannot be set aside%s, one of them because: %s"
                .formatted(
                    failed.size(),
                    isFull() ? " (nothing is polled before they are)" : "",
                    words(failed.get(0).failure)));
  }

  private static String words(@Nullable Throwable failure) {
    return failure == null ? "nothing is known of it" : Causes.message(failure);
  }

  /**
   * Sets aside the messages that are due, then delivers those of the poll; waits at most {@link
   * #WAIT}, and for no success.
   *
   * @param messages messages that the poll has brought
   */
  public Future<List<SourceMessage>> thenDeliver(List<SourceMessage> messages) {
    Future<Void> tried = tryAll();
    if (tried.isComplete()) {
      return Future.succeededFuture(messages);
    }
    Promise<List<SourceMessage>> delivered = Promise.promise();
    Time.Alarm alarm =
        time.after(
            vertx.getOrCreateContext(),
            WAIT,
            () -> {
              boolean unused = delivered.tryComplete(messages);
            });
    tried.onComplete(
        done -> {
          alarm.cancel();
          boolean unused = delivered.tryComplete(messages);
        });
    return delivered.future();
  }

  /** Tries what is due, one after the other; completes with the first failure, or at the end. */
  private Future<Void> tryAll() {
    Promise<Void> its = round;
    if (its == null) {
      its = Promise.promise();
      round = its;
      tryNext(its);
    }
    return its.future();
  }

  private void tryNext(Promise<Void> its) {
    Optional<Unfit> next = nextDue();
    while (next.isPresent()) {
      Unfit unfit = next.get();
      String receipt = unfit.receipt;
      Future<Void> tried = dead.apply(receipt, unfit.cause);
      if (!tried.isComplete()) {
        tried.onComplete(
            done -> {
              tried(unfit, receipt, done, its);
              tryNext(its);
            });
        return;
      }
      tried(unfit, receipt, tried, its);
      next = nextDue();
    }
    round = null;
    boolean unused = its.tryComplete();
  }

  private Optional<Unfit> nextDue() {
    long now = time.nanoTime();
    return left.values().stream().filter(each -> now - each.dueNanos >= 0).findFirst();
  }

  private void tried(Unfit unfit, String receipt, AsyncResult<Void> done, Promise<Void> its) {
    if (done.succeeded() && receipt.equals(unfit.receipt)) {
      left.remove(unfit.id);
    } else if (done.failed()) { // else it has come again meanwhile, and is tried with its new one
      failed(unfit, done.cause());
      boolean unused = its.tryComplete();
    }
  }

  private void failed(Unfit unfit, Throwable cause) {
    LOG.warn("{}: a message is not set aside yet; {} are left", source, left.size(), cause);
    unfit.failure = cause;
    unfit.failures++;
    unfit.dueNanos = time.nanoTime() + PAUSES.longest(unfit.failures).toNanos();
  }
}
