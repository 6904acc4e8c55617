package io.callboard.dashboard.internal.attention;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Times at which troubles whose beginning is not known were first seen, kept while the troubles
 * last. Not thread-safe.
 */
final class FirstSeen {
  /** Time after which nobody knows whether a trouble was over in between. */
  static final Duration GAP = Duration.ofMinutes(1);

  private final Map<String, Instant> seen = new HashMap<>();
  private @Nullable Instant last;

  /** Returns the troubles, each with a time; forgets the times of all others. */
  List<Trouble> dated(List<Trouble> troubles, Instant now) {
    if (last != null && Duration.between(last, now).compareTo(GAP) > 0) {
      seen.clear();
    }
    last = now;
    Set<String> present = new HashSet<>();
    List<Trouble> dated = troubles.stream().map(each -> dated(each, now, present)).toList();
    seen.keySet().retainAll(present);
    return dated;
  }

  private Trouble dated(Trouble trouble, Instant now, Set<String> present) {
    if (trouble.since() != null) {
      return trouble;
    }
    present.add(trouble.id());
    return trouble.firstSeen(seen.computeIfAbsent(trouble.id(), id -> now));
  }
}
