package io.callboard.internal.rehearsal;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Message between rehearsed actors, numbered by sender and receiver.
 *
 * @param from an actor's path, or an edge's name
 * @param number 1, 2, 3… between that sender and this receiver
 * @param ttl how often it is passed on
 */
record Hop(String from, long number, int ttl) {

  /**
   * The last numbers that an actor has got, and sent, by the other's name. Immutable.
   *
   * @param beyond numbers that it has got although some before them are missing
   */
  record Count(Map<String, Long> got, Map<String, Long> sent, Map<String, Set<Long>> beyond) {
    /** Name of the actor itself as the sender of its durable timers. */
    static final String TIMER = "timer";

    /** Name of the receiver of deliveries, which is no actor. */
    static final String OUTSIDE = "outside";

    static final Count NONE = new Count(Map.of(), Map.of(), Map.of());

    Count got(Hop hop) {
      Map<String, Long> next = new TreeMap<>(got);
      next.put(hop.from(), hop.number());
      return new Count(next, sent, beyond);
    }

    /** Counts a message that may arrive in any order; fails if it had arrived before. */
    Count gotInAnyOrder(Hop hop) {
      Set<Long> ahead = new TreeSet<>(beyond.getOrDefault(hop.from(), Set.of()));
      long last = from(hop.from());
      if (hop.number() <= last || !ahead.add(hop.number())) {
        throw new AssertionError("%s got twice, after %d and %s".formatted(hop, last, ahead));
      }
      while (ahead.remove(last + 1)) {
        last++;
      }
      Map<String, Long> next = new TreeMap<>(got);
      next.put(hop.from(), last);
      Map<String, Set<Long>> rest = new TreeMap<>(beyond);
      rest.put(hop.from(), ahead);
      return new Count(next, sent, rest);
    }

    /** Returns whether a message before the last one received is missing. */
    boolean hasGaps() {
      return beyond.values().stream().anyMatch(ahead -> !ahead.isEmpty());
    }

    Count sentTo(String receiver) {
      return new Count(got, plus(sent, receiver), beyond);
    }

    long from(String sender) {
      return got.getOrDefault(sender, 0L);
    }

    long to(String receiver) {
      return sent.getOrDefault(receiver, 0L);
    }

    private static Map<String, Long> plus(Map<String, Long> counts, String name) {
      Map<String, Long> next = new TreeMap<>(counts);
      next.merge(name, 1L, Long::sum);
      return next;
    }
  }
}
