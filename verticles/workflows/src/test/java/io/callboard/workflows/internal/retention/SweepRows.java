package io.callboard.workflows.internal.retention;

import io.callboard.workflows.internal.index.EndedOrder;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of instances for tests of the retention. */
final class SweepRows {
  private SweepRows() {}

  static String id(int number) {
    return "01a20b82-0000-7000-becb-%012d".formatted(number);
  }

  static EndedOrder order(Instant now) {
    return new EndedOrder(now.minus(Duration.ofDays(7)));
  }

  static InstanceRow row(int number, InstanceState state, @Nullable String parent, Instant at) {
    return row(number, state, parent, at, 1);
  }

  static InstanceRow row(
      int number, InstanceState state, @Nullable String parent, Instant at, long change) {
    return new InstanceRow(
        id(number),
        change,
        "sample",
        "v1",
        state,
        5,
        Map.of(),
        parent,
        at,
        state.isEnded() ? at : null,
        Map.of());
  }
}
