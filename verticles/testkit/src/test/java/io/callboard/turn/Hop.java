package io.callboard.turn;

import java.util.Map;
import java.util.TreeMap;

/**
 * What rehearsed actors say to each other: numbered by sender and receiver.
 *
 * @param from an actor's path, or an edge's name
 * @param number 1, 2, 3… between that sender and this receiver
 * @param ttl how often it is passed on
 */
record Hop(String from, long number, int ttl) {

  /** The last numbers that an actor has got, and sent, by the other's name. Immutable. */
  record Count(Map<String, Long> got, Map<String, Long> sent) {
    static final Count NONE = new Count(Map.of(), Map.of());

    Count got(Hop hop) {
      Map<String, Long> next = new TreeMap<>(got);
      next.put(hop.from(), hop.number());
      return new Count(next, sent);
    }

    Count sentTo(String receiver) {
      return new Count(got, plus(sent, receiver));
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
