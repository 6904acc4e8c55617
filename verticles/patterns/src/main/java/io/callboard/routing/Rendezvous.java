package io.callboard.routing;

import io.callboard.placement.RendezvousHash;
import java.util.List;
import java.util.function.Function;

/**
 * Picker that chooses the same routee for the same key, by rendezvous hashing: each routee's name
 * is hashed with the key, and the highest hash wins. So a new routee takes its share from all
 * others, a lost one leaves its share to all others, and no other key moves.
 */
final class Rendezvous<M> implements Picker<M> {
  private final Function<? super M, String> key;

  Rendezvous(Function<? super M, String> key) {
    this.key = key;
  }

  @Override
  public int pick(M message, List<Routee<M>> routees) {
    String of = key.apply(message);
    if (of == null) {
      throw new IllegalArgumentException(
          "the key function returns no key for a " + message.getClass().getSimpleName());
    }
    int best = 0;
    long highest = 0;
    for (int i = 0; i < routees.size(); i++) {
      long weight = RendezvousHash.of(of, routees.get(i).name());
      boolean wins = i == 0 || Long.compareUnsigned(weight, highest) > 0;
      boolean same = i > 0 && weight == highest;
      if (wins || (same && routees.get(i).name().compareTo(routees.get(best).name()) < 0)) {
        best = i;
        highest = weight;
      }
    }
    return best;
  }
}
