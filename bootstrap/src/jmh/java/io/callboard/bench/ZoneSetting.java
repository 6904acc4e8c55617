package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.Protocol;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A node in memory with an actor that is measured and others that make noise: each has always a
 * message to handle.
 */
final class ZoneSetting implements AutoCloseable {
  private static final int NOISY = 16;
  private static final int FAILURES = 6;
  private static final Duration PIECE = Duration.ofMillis(5);
  private static final Duration BACKOFF = Duration.ofMillis(1);
  private static final long LIMIT_SECONDS = 60;
  private static final double MEDIAN = 0.5;
  private static final double MOST = 0.99;
  private static final double LONGEST = 1;

  private final Vertx vertx = Vertx.vertx();
  private final Callboard callboard;
  private final ActorRef<Note> measured;
  private final ActorRef<Fail> failing;
  private final List<ActorRef<Disturb>> noisy = new ArrayList<>();
  private final Semaphore handled = new Semaphore(0);
  private final Semaphore started = new Semaphore(0);
  private final Semaphore quiet = new Semaphore(0);
  private volatile long handledAt;
  private volatile long failedAt;
  private volatile long startedAt;
  private volatile boolean noise;

  /** Activity of a handler of the other actors, for 5 ms. */
  enum Noise {
    BLOCKING,
    SPINNING;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    void make() {
      long end = System.nanoTime() + PIECE.toNanos();
      for (long left = PIECE.toNanos(); left > 0; left = end - System.nanoTime()) {
        if (this == BLOCKING) {
          LockSupport.parkNanos(left);
        } else {
          Thread.onSpinWait();
        }
      }
    }
  }

  /** Message to the measured actor. */
  record Note() {}

  /** Message to the actor that fails. */
  record Fail() {}

  /** Message to the noisy actors. */
  record Disturb(Noise noise) {}

  private ZoneSetting(CallboardOptions options, String zone, String noisyZone) throws Exception {
    callboard = Node.await(Callboard.create(vertx, options));
    measured = Node.await(callboard.spawn("/measured", Measured::new, in(zone)));
    failing =
        Node.await(
            callboard.spawn(
                "/failing",
                Failing::new,
                in(zone)
                    .supervision(
                        new SupervisionOptions()
                            .backoff(Backoff.exponential(BACKOFF, BACKOFF))
                            .intensity(Integer.MAX_VALUE, Duration.ofMinutes(1)))));
    for (int i = 0; i < NOISY; i++) {
      noisy.add(Node.await(callboard.spawn("/noisy/" + i, Noisy::new, in(noisyZone))));
    }
  }

  private static ActorOptions in(String zone) {
    return new ActorOptions().zone(zone).onBus(false);
  }

  /** Starts a setting with one thread for the measured actor and one for the noise. */
  static ZoneSetting apart() throws Exception {
    CallboardOptions options =
        new CallboardOptions()
            .zone("measured", ZoneOptions.fixed(1))
            .zone("noisy", ZoneOptions.fixed(1));
    return new ZoneSetting(options, "measured", "noisy");
  }

  /** Starts a setting with two threads for all. */
  static ZoneSetting together() throws Exception {
    CallboardOptions options = new CallboardOptions().zone("one", ZoneOptions.fixed(2));
    return new ZoneSetting(options, "one", "one");
  }

  /** Runs the measurement while the other actors make noise. */
  double[] during(Noise what, Callable<double[]> measurement) throws Exception {
    noise = true;
    for (ActorRef<Disturb> each : noisy) {
      Node.await(each.tell(new Disturb(what)));
    }
    try {
      return measurement.call();
    } finally {
      noise = false;
      if (!quiet.tryAcquire(NOISY, LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new TimeoutException("the noise does not end");
      }
    }
  }

  /**
   * Returns median and 99th percentile of the time until a message is handled; median and longest
   * of the time until a failed actor runs again.
   */
  double[] figures(Duration window) throws Exception {
    Latencies untilHandled = new Latencies();
    long end = System.nanoTime() + window.toNanos();
    while (System.nanoTime() < end) {
      long told = System.nanoTime();
      var accepted = measured.tell(new Note());
      await(handled, "a message was not handled; its tell: " + accepted);
      untilHandled.add(handledAt - told);
    }
    Latencies untilStarted = new Latencies();
    for (int i = 0; i < FAILURES; i++) {
      started.drainPermits();
      var accepted = failing.tell(new Fail());
      await(started, "the failed actor does not run again; its tell: " + accepted);
      untilStarted.add(startedAt - failedAt);
    }
    return new double[] {
      untilHandled.micros(MEDIAN),
      untilHandled.micros(MOST),
      untilStarted.micros(MEDIAN),
      untilStarted.micros(LONGEST)
    };
  }

  private static void await(Semaphore event, String orElse) throws Exception {
    if (!event.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new TimeoutException(orElse);
    }
  }

  private final class Measured extends Actor<Note> {
    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(
          Note.class,
          note -> {
            handledAt = System.nanoTime();
            handled.release();
          });
    }
  }

  private final class Failing extends Actor<Fail> {
    @Override
    protected Future<?> started() {
      startedAt = System.nanoTime();
      started.release();
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Fail> on) {
      on.message(
          Fail.class,
          fail -> {
            failedAt = System.nanoTime();
            throw new IllegalStateException("as told");
          });
    }
  }

  private final class Noisy extends Actor<Disturb> {
    @Override
    protected void protocol(Protocol<Disturb> on) {
      on.message(
          Disturb.class,
          disturb -> {
            disturb.noise().make();
            if (noise) {
              tell(self(), disturb);
            } else {
              quiet.release();
            }
          });
    }
  }

  @Override
  public void close() throws Exception {
    Node.await(callboard.close());
    Node.await(vertx.close());
  }
}
