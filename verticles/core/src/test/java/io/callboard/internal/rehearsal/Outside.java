package io.callboard.internal.rehearsal;

import io.callboard.codecs.ActorPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Receiver of deliveries that is no actor: it knows each delivery by its id, and the ids only. */
final class Outside {
  private final Map<String, Long> contents = new HashMap<>();
  private final Map<ActorPath, Set<Long>> got = new HashMap<>();
  private final Set<String> parked = new HashSet<>();
  private long attempts;

  /** Receives an attempt; an id must always stand for the same value. */
  void receive(ActorPath from, long id, long what) {
    attempts++;
    Long before = contents.putIfAbsent(from + "~" + id, what);
    if (before != null && before != what) {
      throw new AssertionError(
          "delivery %d of %s is %d now, and was %d".formatted(id, from, what, before));
    }
    got.computeIfAbsent(from, actor -> new TreeSet<>()).add(what);
  }

  /** Records that the actor was notified of a delivery given up. */
  void givenUp(ActorPath from, long id) {
    boolean unused = parked.add(from + "~" + id);
  }

  /** Returns the ids received from that actor. */
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
