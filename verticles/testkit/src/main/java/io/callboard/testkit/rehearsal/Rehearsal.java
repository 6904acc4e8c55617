package io.callboard.testkit.rehearsal;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Callboard;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Randomised test of several actors under faults: the same scenario is repeated with different
 * seeds, each of which determines the faults and their times. Nodes die and come back, commits or
 * their answers are lost, and the store is slow. Then the faults end, waiting work completes, and
 * an invariant must hold.
 *
 * <pre>{@code
 * @Test
 * void moneyIsNeitherMadeNorLost() {
 *   Rehearsal.of(callboard -> callboard.host("/accounts", Account::new, new ActorOptions()))
 *       .given(run -> fillAccounts(run.callboard()))
 *       .act(run -> transferSomething(run.callboard(), run.random()))
 *       .check(run -> assertThat(sumOfAccounts(run)).isEqualTo(1_000))
 *       .run();
 * }
 * }</pre>
 *
 * <p>A run whose check fails, or in which something throws, fails the test with its seed and what
 * went wrong in it; {@code -Dcallboard.rehearsal.seed=17} runs that one alone. One seed is always
 * the same run, if the actors and the test depend on nothing else: see {@link RehearsalRun#random}.
 *
 * <p>One node runs at a time, in a cell of its own in memory, by a time that stands still unless
 * the rehearsal moves it; so a run takes some ten milliseconds.
 */
public final class Rehearsal {
  /** System property that names the only seed to run. */
  public static final String PROPERTY = "callboard.rehearsal.seed";

  /** Default number of runs. */
  public static final int SEEDS = 30;

  /** Default number of steps of a run. */
  public static final int STEPS = 20;

  private final Function<Callboard, ? extends Future<?>> start;
  private Consumer<RehearsalRun> given = run -> {};
  private Consumer<RehearsalRun> act = run -> {};
  private @Nullable Consumer<RehearsalRun> check;
  private Set<Fault> faults = EnumSet.allOf(Fault.class);
  private int seeds = SEEDS;
  private int steps = STEPS;

  /** Kind of a fault. A rehearsal mixes those that {@link #faults} gives. */
  public enum Fault {
    /** Lost answer: a commit is applied, but its node does not learn that. */
    LOST_ANSWER,
    /** Lost commit: a commit does not reach the store, and its node does not know. */
    LOST_COMMIT,
    /** Late answer of the store. */
    DELAY,
    /** Death of the node from one moment to the next; another node takes over. */
    NODE_DEATH
  }

  private Rehearsal(Function<Callboard, ? extends Future<?>> start) {
    this.start = start;
  }

  /**
   * Creates a rehearsal.
   *
   * @param start starts or hosts the actors, on each node that starts
   */
  public static Rehearsal of(Function<Callboard, ? extends Future<?>> start) {
    return new Rehearsal(start);
  }

  /** Sets the preparation of a run, before any fault; default none. */
  @CanIgnoreReturnValue
  public Rehearsal given(Consumer<RehearsalRun> before) {
    given = before;
    return this;
  }

  /**
   * Sets the step of a run; it should tell the actors messages, and need not wait for them. Default
   * none.
   */
  @CanIgnoreReturnValue
  public Rehearsal act(Consumer<RehearsalRun> step) {
    act = step;
    return this;
  }

  /** Sets the invariant at the end of a run; it throws if it is violated. Required. */
  @CanIgnoreReturnValue
  public Rehearsal check(Consumer<RehearsalRun> invariant) {
    check = invariant;
    return this;
  }

  /** Sets the possible faults, in any order and number; none means that nothing goes wrong. */
  @CanIgnoreReturnValue
  public Rehearsal faults(Fault... some) {
    faults = EnumSet.noneOf(Fault.class);
    faults.addAll(List.of(some));
    return this;
  }

  /** Sets the number of runs, default {@value #SEEDS}; their seeds begin with 0. */
  @CanIgnoreReturnValue
  public Rehearsal seeds(int count) {
    seeds = positive("seeds", count);
    return this;
  }

  /** Sets the number of steps of a run, default {@value #STEPS}. */
  @CanIgnoreReturnValue
  public Rehearsal steps(int count) {
    steps = positive("steps", count);
    return this;
  }

  private static int positive(String what, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("%d %s: give at least 1".formatted(count, what));
    }
    return count;
  }

  /**
   * Runs the rehearsal: with each seed in turn, or with the one that {@value #PROPERTY} names.
   *
   * @throws AssertionError if a run fails, its start included; names the seed, and the cause is the
   *     failure
   * @throws IllegalStateException without {@link #check}
   * @throws IllegalArgumentException if the property is no seed
   */
  public void run() {
    Consumer<RehearsalRun> invariant = check;
    if (invariant == null) {
      throw new IllegalStateException(
          "a rehearsal without an invariant cannot fail: give one with check(...)");
    }
    String only = System.getProperty(PROPERTY);
    if (only != null) {
      run(seed(only), invariant);
      return;
    }
    for (long seed = 0; seed < seeds; seed++) {
      run(seed, invariant);
    }
  }

  private static long seed(String given) {
    try {
      return Long.parseLong(given);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D%s=%s is no seed: give the number that a failed rehearsal names, such as -D%s=17"
              .formatted(PROPERTY, given, PROPERTY),
          e);
    }
  }

  /** Any failure is reported with its seed: also that of a start, of closing, and an error. */
  private void run(long seed, Consumer<RehearsalRun> invariant) {
    RehearsalRun run = new RehearsalRun(seed, faults, start);
    try (run) {
      run.play(given, steps, act, invariant);
    } catch (Throwable failure) {
      throw new AssertionError(
          "seed %d (-D%s=%d runs it alone): %s%nWhat went wrong before: %s"
              .formatted(seed, PROPERTY, seed, text(failure), run.faults()),
          failure);
    }
  }

  private static String text(Throwable failure) {
    return failure instanceof AssertionError && failure.getMessage() != null
        ? failure.getMessage()
        : failure.toString();
  }
}
