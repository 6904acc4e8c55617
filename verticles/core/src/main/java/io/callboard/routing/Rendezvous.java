package io.callboard.routing;

import java.util.List;
import java.util.function.Function;

/**
 * The same routee for the same key, by rendezvous hashing: each routee's name is hashed with the
 * key, the highest has it. So a routee that comes takes its share from all others, one that goes
 * leaves its share to all others, and no other key moves.
 */
final class Rendezvous<M> implements Picker<M> {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final Function<? super M, String> key;

  Rendezvous(Function<? super M, String> key) {
    this.key = key;
  }

  @Override
  public int pick(M message, List<Routee<M>> routees) {
    String of = key.apply(message);
    if (of == null) {
      throw new IllegalArgumentException(
          "the key function makes no key of a " + message.getClass().getSimpleName());
    }
    long keyed = fnv(OFFSET, of);
    int best = 0;
    long highest = 0;
    for (int i = 0; i < routees.size(); i++) {
      long weight = mixed(fnv(keyed * PRIME, routees.get(i).name()));
      boolean wins = i == 0 || Long.compareUnsigned(weight, highest) > 0;
      boolean same = i > 0 && weight == highest;
      if (wins || (same && routees.get(i).name().compareTo(routees.get(best).name()) < 0)) {
        best = i;
        highest = weight;
      }
    }
    return best;
  }

  /** FNV-1a over the characters. */
  private static long fnv(long from, String text) {
    long hash = from;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    return hash;
  }

  /** Every bit of the result depends on every bit of {@code hash}: the end of MurmurHash3. */
  private static long mixed(long hash) {
    long bits = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    bits = (bits ^ (bits >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return bits ^ (bits >>> 33);
  }
}
