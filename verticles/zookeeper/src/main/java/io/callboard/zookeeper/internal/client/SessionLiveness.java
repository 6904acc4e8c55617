package io.callboard.zookeeper.internal.client;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch that reports that the leader has not been heard for two thirds of the session: before the
 * session can end, and other nodes take over from this one. The client itself reports a lost
 * connection too early, when the server closed it, or too late, when nothing arrives any more.
 */
public final class SessionLiveness {
  private static final Logger log = LoggerFactory.getLogger(SessionLiveness.class);
  private static final int ASKS_A_SESSION = 6;
  private static final int LOOKS_A_SESSION = 30;

  private final Supplier<Future<Void>> ask;
  private final Consumer<Boolean> listener;
  private final LongConsumer lives;
  private final LongSupplier nanoTime;
  private long sessionNs = Long.MAX_VALUE;
  private long limitNs = Long.MAX_VALUE;
  private long everyNs = Long.MAX_VALUE;
  private long heardNs;
  private long askedNs;
  private boolean asking;
  private boolean lost;
  private @Nullable ScheduledFuture<?> looking;

  /**
   * Creates a watch over a session; {@link #start} starts it.
   *
   * @param ask a question that the leader answers
   * @param listener gets false when the leader has not been heard for too long, true when it is
   *     heard again; called for one after the other, so it must only pass that on
   * @param lives with each answer, until when the session lives at least; likewise
   */
  public SessionLiveness(
      Supplier<Future<Void>> ask,
      Consumer<Boolean> listener,
      LongConsumer lives,
      LongSupplier nanoTime) {
    this.ask = ask;
    this.listener = listener;
    this.lives = lives;
    this.nanoTime = nanoTime;
  }

  /**
   * Starts looking at the session, and reports at once until when it lives at least: the first
   * answer may be long in coming, and work that must end with the session needs a limit until then.
   *
   * @param session as the server granted it
   * @param livedNs time at which it lived: a request sent then was answered
   */
  public synchronized void start(ScheduledExecutorService timer, Duration session, long livedNs) {
    sessionNs = session.toNanos();
    limitNs = sessionNs * 2 / 3;
    everyNs = session.toNanos() / ASKS_A_SESSION;
    Duration look = session.dividedBy(LOOKS_A_SESSION);
    heardNs = livedNs;
    askedNs = nanoTime.getAsLong() - everyNs;
    lives.accept(livedNs + sessionNs);
    looking =
        timer.scheduleWithFixedDelay(
            this::lookAgain, 0, Math.max(1, look.toMillis()), TimeUnit.MILLISECONDS);
  }

  /** Notes that the connection is back: the next check sends a request. */
  public synchronized void connected() {
    if (looking != null) {
      askedNs = nanoTime.getAsLong() - everyNs;
    }
  }

  /** Stops looking at the connection. */
  public synchronized void stop() {
    if (looking != null) {
      looking.cancel(false);
      looking = null;
    }
  }

  /** Checks and catches everything: a timer's task that throws is never run again. */
  private void lookAgain() {
    try {
      look();
    } catch (RuntimeException | Error e) {
      log.error(
          "the contact with ZooKeeper's leader could not be checked; the next check follows", e);
    }
  }

  /** Sends a request if it is time for one, and reports if no answer came for too long. */
  void look() {
    long nowNs = nanoTime.getAsLong();
    boolean askNow;
    synchronized (this) {
      askNow = !asking && nowNs - askedNs >= everyNs;
      if (askNow) {
        asking = true;
        askedNs = nowNs;
      }
      if (!lost && nowNs - heardNs >= limitNs) {
        lost = true;
        listener.accept(false);
      }
    }
    if (askNow) {
      ask(nowNs);
    }
  }

  private void ask(long sentNs) {
    SafeStart.of(ask) // which throws while there is no handle
        .onComplete(
            done -> {
              if (done.failed()) {
                log.debug("ZooKeeper's leader did not answer", done.cause());
              }
              answered(sentNs, done.succeeded());
            });
  }

  /** Notes the answer to a request: the session was alive when the request was sent. */
  private synchronized void answered(long sentNs, boolean heard) {
    asking = false;
    if (heard) {
      heardNs = sentNs;
      lives.accept(sentNs + sessionNs);
      if (lost && nanoTime.getAsLong() - heardNs < limitNs) {
        lost = false;
        listener.accept(true);
      }
    }
  }
}
