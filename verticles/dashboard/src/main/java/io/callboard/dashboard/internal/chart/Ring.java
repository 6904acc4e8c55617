package io.callboard.dashboard.internal.chart;

import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last steps of one range. Not thread-safe. */
@Machine
final class Ring {
  private final long stepMs;
  private final @Nullable Step[] steps = new Step[Range.STEPS];
  private final long[] numbers = new long[Range.STEPS];

  Ring(Range range) {
    stepMs = range.step().toMillis();
    Arrays.fill(numbers, Long.MIN_VALUE);
  }

  private long number(long epochMs) {
    return Math.floorDiv(epochMs, stepMs);
  }

  private static int slot(long number) {
    return (int) Math.floorMod(number, (long) Range.STEPS);
  }

  private @Nullable Step step(long number) {
    return numbers[slot(number)] == number ? steps[slot(number)] : null;
  }

  /**
   * Adds the increase between two samples to the step that contains the middle of the time between
   * them. Samples that are too far apart tell nothing of a step: it stays a gap.
   */
  void add(Sample before, Instant from, Sample now, Instant to) {
    Duration between = Duration.between(from, to);
    if (2 * between.toMillis() > 3 * stepMs) {
      return;
    }
    long number = number((from.toEpochMilli() + to.toEpochMilli()) / 2);
    Step step = step(number);
    if (step == null) {
      step = new Step();
      steps[slot(number)] = step;
      numbers[slot(number)] = number;
    }
    step.add(before, now, between);
  }

  /** Forgets the steps from a time on: the clock was set back to it. */
  void forget(Instant from) {
    long first = number(from.toEpochMilli());
    for (int slot = 0; slot < Range.STEPS; slot++) {
      if (numbers[slot] >= first) {
        numbers[slot] = Long.MIN_VALUE;
        steps[slot] = null;
      }
    }
  }

  /** Returns the number of the last step to show: the present one if it was measured already. */
  private long last(Instant now) {
    long present = number(now.toEpochMilli());
    return step(present) == null ? present - 1 : present;
  }

  /** Returns the beginning of the first step that is shown. */
  Instant from(Instant now) {
    return Instant.ofEpochMilli((last(now) - Range.STEPS + 1) * stepMs);
  }

  /** Returns the steps that are shown; null for those that were not measured. */
  List<@Nullable Step> read(Instant now) {
    long last = last(now);
    List<@Nullable Step> shown = new ArrayList<>();
    for (long number = last - Range.STEPS + 1; number <= last; number++) {
      shown.add(step(number));
    }
    return shown;
  }
}
