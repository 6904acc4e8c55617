package io.callboard.testkit;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.supervision.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Factory of the {@link Probe}s of one node. Thread-safe. */
public final class Probes {
  /**
   * Default time for which a probe waits for an expected message; the system property {@code
   * callboard.testkit.timefactor} makes all patience longer.
   */
  public static final Duration PATIENCE = WaitLimit.LIMIT;

  /** Path above all probes. */
  private static final String PATH = "/probes/";

  /** Time limit longer than any test advances its time. */
  private static final Duration FOR_EVER = Duration.ofDays(3_650);

  private final Callboard callboard;
  private final Duration patience;
  private final @Nullable Stillness stillness;
  private final Duration silence;
  private final AtomicInteger numbers;

  private Probes(
      Callboard callboard,
      Duration patience,
      @Nullable Stillness stillness,
      Duration silence,
      AtomicInteger numbers) {
    this.callboard = callboard;
    this.patience = patience;
    this.stillness = stillness;
    this.silence = silence;
    this.numbers = numbers;
  }

  /** Returns the probes of a node, with {@link #PATIENCE}. */
  public static Probes of(Callboard callboard) {
    return new Probes(callboard, PATIENCE, null, Probe.SILENCE, new AtomicInteger());
  }

  /** Returns probes with another patience, in real time. */
  public Probes patience(Duration limit) {
    return new Probes(callboard, limit, stillness, silence, numbers);
  }

  /**
   * Returns probes with a stillness: they wait until the node has come to rest before they conclude
   * that no message comes.
   */
  public Probes stillness(Stillness given) {
    return new Probes(callboard, patience, given, silence, numbers);
  }

  /**
   * Returns probes for a node with that time: once it has come to rest, no message comes until the
   * test advances the time.
   *
   * @throws IllegalStateException if the time does not know when the node is at rest
   */
  public Probes time(ManualTime given) {
    Stillness known =
        given
            .stillness()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "call ManualTime.stillness(Stillness.of(callboard)) first"));
    return new Probes(callboard, patience, known, Duration.ZERO, numbers);
  }

  /** Starts a probe at a path of its own. */
  public <M> Probe<M> probe(Class<M> protocol) {
    return probe(PATH + "probe-" + numbers.incrementAndGet(), protocol);
  }

  /**
   * Starts a probe at the path of an actor, in whose place it stands.
   *
   * @throws AssertionError if it cannot be started
   */
  public <M> Probe<M> probe(String path, Class<M> protocol) {
    BlockingQueue<ProbeActor.Received<M>> received = new LinkedBlockingQueue<>();
    ActorRef<M> ref =
        inTime(
            "the start of probe " + path,
            callboard.spawn(path, () -> new ProbeActor<>(protocol, received), options()));
    return new Probe<>(this, ref, received);
  }

  private static ActorOptions options() {
    return new ActorOptions()
        .turnTimeout(FOR_EVER)
        .backoff(
            Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1), Backoff.Jitter.FULL));
  }

  Duration patience() {
    return patience;
  }

  /** Returns the time for which no message may come when the node is at rest. */
  Duration silence() {
    return silence;
  }

  Optional<Stillness> stillness() {
    return Optional.ofNullable(stillness);
  }

  /** Returns the cause of the actor's end. */
  String end(ActorRef<?> actor) {
    Promise<String> end = Promise.promise();
    String path = PATH + "watch-" + numbers.incrementAndGet();
    ActorRef<EndWatch.Ended> unused =
        inTime(
            "the start of a watch",
            callboard.spawn(path, () -> new EndWatch(actor, end), options().onBus(false)));
    return inTime("the end of " + actor.path(), end.future());
  }

  private <T> T inTime(String what, Future<T> future) {
    try {
      return future.await(WaitLimit.stretched(patience).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("%s did not complete within %s".formatted(what, patience), e);
    } catch (RuntimeException e) {
      throw new AssertionError("%s failed: %s".formatted(what, e), e);
    }
  }
}
