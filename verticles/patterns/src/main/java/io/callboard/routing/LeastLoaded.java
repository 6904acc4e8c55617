package io.callboard.routing;

import java.util.List;

/**
 * Picker that chooses the routee with the fewest outstanding messages; among equals one after the
 * other.
 */
final class LeastLoaded<M> implements Picker<M> {
  private int next;

  @Override
  public int pick(M message, List<Routee<M>> routees) {
    int count = routees.size();
    int best = next % count;
    for (int i = 1; i < count && routees.get(best).load() > 0; i++) {
      int other = (next + i) % count;
      if (routees.get(other).load() < routees.get(best).load()) {
        best = other;
      }
    }
    next = (best + 1) % count;
    return best;
  }
}
