package io.callboard.chaos;

import io.callboard.chaos.hosts.Progress;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Problems found, by kind. */
final class Verdict {
  /** Kind of problem, in the order of the last line. */
  enum Kind {
    LOST,
    DUPLICATED,
    REORDERED,
    DOUBLE_OWNER,
    FENCED_WRITES,
    OVER_LIMIT,
    ORPHANS,
    LATE,
    STUCK;

    private String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final History history;

  Verdict(History history) {
    this.history = history;
    for (Kind kind : Kind.values()) {
      counts.put(kind, 0L);
    }
  }

  /** Tells it, if there is any. */
  void found(Kind kind, long count, String what) {
    if (count > 0) {
      counts.merge(kind, count, Long::sum);
      history.note("found", "kind", kind.label(), "count", count, "of", what);
      Progress.say("%s %d: %s".formatted(kind.label(), count, what));
    }
  }

  boolean isClean() {
    return counts.values().stream().allMatch(count -> count == 0);
  }

  /** Returns the last line of a run. */
  String line(int faults, long accepted) {
    return "verdict: %s faults=%d accepted=%d"
        .formatted(
            counts.entrySet().stream()
                .map(entry -> entry.getKey().label() + "=" + entry.getValue())
                .collect(Collectors.joining(" ")),
            faults,
            accepted);
  }
}
