package io.callboard.internal.rehearsal;

import io.callboard.codecs.ActorPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What is no actor, and is delivered to: it knows each delivery by its id, and the ids only. */
final class Outside {
  private final Map<String, Long> contents = new HashMap<>();
  private final Map<ActorPath, Set<Long>> got = new HashMap<>();
  private final Set<String> parked = new HashSet<>();
  private long attempts;

  /** An attempt has come; an id stands for one thing, for ever. */
  void receive(ActorPath from, long id, long what) {
    attempts++;
    Long before = contents.putIfAbsent(from + "~" + id, what);
    if (before != null && before != what) {
      throw new AssertionError(
          "delivery %d of %s is %d now, and was %d".formatted(id, from, what, before));
    }
    got.computeIfAbsent(from, actor -> new TreeSet<>()).add(what);
  }

  /** The actor was told that it was given up. */
  void givenUp(ActorPath from, long id) {
    boolean unused = parked.add(from + "~" + id);
  }

  /** What has come from that actor. */
  Set<Long> got(ActorPath from) {
    return got.getOrDefault(from, Set.of());
  }

  long attempts() {
    return attempts;
  }

  /** Deliveries that were given up. */
  int parked() {
    return parked.size();
  }
}
