package io.callboard.workflows.internal.index;

import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import java.time.Instant;
import java.util.Map;

/** Rows of instances for tests. */
final class SampleRows {
  static final Instant NOW = Instant.parse("2026-11-25T09:00:00Z");
  static final String PREFIX = "/workflows/i";

  private SampleRows() {}

  /** Returns the id of a number, in its order. */
  static String id(int number) {
    return "01a20b82-%04x-7%03x-becb-509436418496".formatted(number >> 12, number & 0xfff);
  }

  static InstanceRow row(int number, long change, InstanceState state) {
    return new InstanceRow(
        id(number),
        change,
        number % 2 == 0 ? "even" : "Odd",
        "v" + number % 3,
        state,
        5,
        Map.of("third", String.valueOf(number % 3)),
        null,
        NOW.plusSeconds(number),
        state == InstanceState.RUNNING ? null : NOW.plusSeconds(number + 1),
        Map.of(StepState.RUNNING, 1));
  }
}
