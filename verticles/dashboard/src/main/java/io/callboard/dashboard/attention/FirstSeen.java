package io.callboard.dashboard.attention;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** When troubles whose beginning is not known were first seen, while they last. Not thread-safe. */
final class FirstSeen {
  private final Map<String, Instant> seen = new HashMap<>();

  /** Returns the troubles, each with a time; forgets those that are over. */
  List<Trouble> dated(List<Trouble> troubles, Instant now) {
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
    return trouble.since(seen.computeIfAbsent(trouble.id(), id -> now));
  }
}
