package io.callboard.jobs.handler;

import io.callboard.zone.ZoneDefaults;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Options of a handler on a node. Immutable.
 *
 * @param zone scheduling zone in which it runs; by default {@link ZoneDefaults#JOBS}
 * @param slots runs that the node takes at once, by default {@value #DEFAULT_SLOTS}; 0 for none.
 *     They are the handler's own, beside those of processes and of other handlers
 * @param rules rules for its failures: the first that fits counts
 */
public record HandlerOptions(String zone, int slots, List<FailureRule> rules) {
  /** Slots of a handler by default. */
  public static final int DEFAULT_SLOTS = 16;

  /** The defaults. */
  public static final HandlerOptions DEFAULT =
      new HandlerOptions(ZoneDefaults.JOBS, DEFAULT_SLOTS, List.of());

  /**
   * Rule for failures of a class or its subclasses.
   *
   * @param of the class
   * @param retry whether the job is tried again, if it has attempts left
   * @param after pause before the next attempt; empty for that of the retry policy
   */
  public record FailureRule(
      Class<? extends Throwable> of, boolean retry, Optional<Duration> after) {
    /** Refuses a rule without a class. */
    public FailureRule {
      Objects.requireNonNull(of, "the class of the failures");
    }
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if there are less than 0 or more than 100,000 slots
   */
  public HandlerOptions {
    if (slots < 0 || slots > 100_000) {
      throw new IllegalArgumentException(
          "the slots of a handler are 0 to 100000, not %d".formatted(slots));
    }
    rules = List.copyOf(rules);
  }

  /** Returns these options with another scheduling zone. */
  public HandlerOptions zone(String other) {
    return new HandlerOptions(other, slots, rules);
  }

  /** Returns these options with other slots. */
  public HandlerOptions slots(int atOnce) {
    return new HandlerOptions(zone, atOnce, rules);
  }

  /** Returns these options with a rule: a job that fails so is not tried again. */
  public HandlerOptions failForGood(Class<? extends Throwable> failure) {
    return with(new FailureRule(failure, false, Optional.empty()));
  }

  /** Returns these options with a rule: a job that fails so is tried again by its retry policy. */
  public HandlerOptions retry(Class<? extends Throwable> failure) {
    return with(new FailureRule(failure, true, Optional.empty()));
  }

  /** Returns these options with a rule: a job that fails so is tried again after a pause. */
  public HandlerOptions retryAfter(Class<? extends Throwable> failure, Duration pause) {
    return with(new FailureRule(failure, true, Optional.of(pause)));
  }

  private HandlerOptions with(FailureRule rule) {
    return new HandlerOptions(zone, slots, Stream.concat(rules.stream(), Stream.of(rule)).toList());
  }
}
