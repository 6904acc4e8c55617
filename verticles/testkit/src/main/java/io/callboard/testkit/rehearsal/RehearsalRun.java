package io.callboard.testkit.rehearsal;

import io.callboard.Callboard;
import io.callboard.admin.NodeCounts;
import io.callboard.store.Limits;
import io.callboard.store.memory.MemoryCell;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Run of a {@link Rehearsal}. For use by the thread of the test. */
public final class RehearsalRun implements AutoCloseable {
  /** Steps, on average, between two deaths of the node. */
  private static final int DEATHS = 8;

  /** Longest pause before a step, in milliseconds. */
  private static final int PAUSE_MS = 300;

  /**
   * Step by which the time advances at the end, until nothing happens any more; longer than most
   * backoffs.
   */
  private static final Duration QUIET = Duration.ofMinutes(1);

  private static final int MOST_QUIET = 60;
  private static final Duration TICK = Duration.ofMillis(10);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final long seed;
  private final Function<Callboard, ? extends Future<?>> start;
  private final SplittableRandom random;
  private final SplittableRandom play;
  private final SeededFaults faults;
  private final MemoryCell cell;
  private ManualTime time = new ManualTime();
  private @Nullable RehearsalNode node;
  private int step;

  RehearsalRun(
      long seed, Set<Rehearsal.Fault> faults, Function<Callboard, ? extends Future<?>> start) {
    this.seed = seed;
    this.start = start;
    this.play = new SplittableRandom(seed);
    this.random = play.split();
    this.faults = new SeededFaults(faults, play.split());
    this.cell = new MemoryCell(MemoryCell.DEFAULT_PARTITIONS, Limits.MAILBOX_MESSAGES, new Now());
  }

  /** Clock of the node that runs now. */
  private final class Now extends Clock {
    @Override
    public Instant instant() {
      return time.clock().instant();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return time.clock().withZone(zone);
    }
  }

  /** Each has a time of its own, which stands still with it; it begins where the last one died. */
  private void open() {
    time = new ManualTime(time.clock().instant());
    RehearsalNode opened = new RehearsalNode(cell, time, faults, play.nextLong());
    node = opened;
    var unused = await(start.apply(opened.callboard()));
  }

  /** Returns the node that runs now; after a death it is another one. */
  public Callboard callboard() {
    return node().callboard();
  }

  private RehearsalNode node() {
    return Objects.requireNonNull(node, "the node of a run");
  }

  /**
   * Returns the random generator of the run; a step must use no other, so that a seed always gives
   * the same run.
   */
  public RandomGenerator random() {
    return random;
  }

  /**
   * Returns the seed of the run; with the system property {@link Rehearsal#PROPERTY} it can be run
   * alone.
   */
  public long seed() {
    return seed;
  }

  /** Returns the number of the current step, from 0. */
  public int step() {
    return step;
  }

  /**
   * Advances the time until {@code future} is complete, by at most ten minutes, and returns its
   * result.
   *
   * @return its result
   * @throws RuntimeException if it fails, with its cause
   * @throws AssertionError if it does not complete
   */
  public <T> T await(Future<T> future) {
    Duration waited = Duration.ZERO;
    for (Duration tick = TICK; !future.isComplete(); tick = tick.multipliedBy(2)) {
      if (waited.compareTo(PATIENCE) > 0) {
        throw new AssertionError("nothing came of a future within %s".formatted(PATIENCE));
      }
      node().advance(tick);
      waited = waited.plus(tick);
    }
    return future.await();
  }

  /** Returns the faults so far, in order. */
  List<String> faults() {
    return faults.list();
  }

  void play(
      Consumer<RehearsalRun> given,
      int steps,
      Consumer<RehearsalRun> act,
      Consumer<RehearsalRun> check) {
    open();
    given.accept(this);
    node().advance(Duration.ZERO);
    for (step = 0; step < steps; step++) {
      if (faults.mayDie() && play.nextInt(DEATHS) == 0) {
        faults.end(); // actors that are starting are to complete that
        faults.add("step %d: the node died".formatted(step));
        die();
        open();
      }
      faults.at(step);
      act.accept(this);
      node().advance(Duration.ofMillis(play.nextInt(PAUSE_MS)));
    }
    faults.end();
    quiet();
    check.accept(this);
  }

  private void quiet() {
    NodeCounts before = null;
    for (int i = 0; i < MOST_QUIET; i++) {
      node().advance(QUIET);
      NodeCounts now = callboard().admin().counts();
      if (now.equals(before)) {
        return;
      }
      before = now;
    }
    throw new AssertionError(
        "the actors do not come to rest within %s: a run is to end, so let what repeats itself end"
            .formatted(QUIET.multipliedBy(MOST_QUIET)));
  }

  private void die() {
    RehearsalNode dying = node();
    node = null;
    dying.die();
  }

  /** Closes the node that runs now. {@link Rehearsal#run} does it after each run. */
  @Override
  public void close() {
    faults.end();
    RehearsalNode last = node;
    if (last != null) {
      last.close();
    }
  }
}
