package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.protocol.StepRunKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reports of the desk to instances, each repeated until it is durable. O(1) a call. */
@Machine
final class DeskReports {
  /** Pause after a report that failed. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private final Map<StepRunKey, DeskEffect> open = new LinkedHashMap<>();

  /** Reports that failed, by the time of their next attempt, which is the order of the entries. */
  private final Map<StepRunKey, Long> waiting = new LinkedHashMap<>();

  /** Returns whether a report of a run is open. */
  boolean contains(StepRunKey key) {
    return open.containsKey(key);
  }

  /** Returns the number of open reports. */
  int size() {
    return open.size();
  }

  /** Sends a report for the first time. */
  void add(StepRunKey key, DeskEffect report, Consumer<DeskEffect> effects) {
    if (open.putIfAbsent(key, report) == null) {
      effects.accept(report);
    }
  }

  /** Records the outcome of a report. */
  void reported(StepRunKey key, boolean durable, long nowNs) {
    if (durable) {
      open.remove(key);
      waiting.remove(key);
    } else if (open.containsKey(key)) {
      waiting.putIfAbsent(key, nowNs + PAUSE.toNanos());
    }
  }

  /** Repeats the reports that are due. */
  void tick(long nowNs, Consumer<DeskEffect> effects) {
    List<StepRunKey> due = new ArrayList<>();
    for (Map.Entry<StepRunKey, Long> each : waiting.entrySet()) {
      if (each.getValue() - nowNs > 0) {
        break;
      }
      due.add(each.getKey());
    }
    for (StepRunKey key : due) {
      waiting.remove(key);
      DeskEffect report = open.get(key);
      if (report != null) {
        effects.accept(report);
      }
    }
  }
}
