package io.callboard.examples.dangerous;

import io.callboard.examples.dangerous.TroubledService.Mode;
import io.callboard.supervision.Backoff;
import java.time.Duration;
import java.util.List;

/**
 * Plan of the demonstration.
 *
 * @param rate prices requested each second, and as many orders; at least 100
 * @param phases phases of the service, in order; in the last one it is well
 * @param deadline deadline of the clients' guards
 * @param backoff backoff of the clients' guards
 */
record Plan(int rate, List<Phase> phases, Duration deadline, Backoff backoff) {
  /** Phase of the service. */
  record Phase(Mode mode, Duration length) {}

  /** Half a minute, with one outage of each kind. */
  static final Plan DEFAULT =
      new Plan(200, seconds(5, 8, 5, 8, 6), Duration.ofSeconds(1), backoff(200, 2_000));

  static Backoff backoff(int minMs, int maxMs) {
    return Backoff.exponential(Duration.ofMillis(minMs), Duration.ofMillis(maxMs));
  }

  /** Returns the phases well, failing, well, hanging, well. */
  static List<Phase> seconds(int well, int fails, int again, int hangs, int last) {
    return List.of(
        new Phase(Mode.WELL, Duration.ofSeconds(well)),
        new Phase(Mode.FAILS, Duration.ofSeconds(fails)),
        new Phase(Mode.WELL, Duration.ofSeconds(again)),
        new Phase(Mode.HANGS, Duration.ofSeconds(hangs)),
        new Phase(Mode.WELL, Duration.ofSeconds(last)));
  }

  /** Returns how long the service is well, or is not. */
  Duration length(boolean well) {
    return phases.stream()
        .filter(phase -> (phase.mode() == Mode.WELL) == well)
        .map(Phase::length)
        .reduce(Duration.ZERO, Duration::plus);
  }
}
