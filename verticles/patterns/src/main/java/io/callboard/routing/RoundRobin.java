package io.callboard.routing;

import java.util.List;

/** Picker that chooses one routee after the other. */
final class RoundRobin<M> implements Picker<M> {
  private int next;

  @Override
  public int pick(M message, List<Routee<M>> routees) {
    int picked = next < routees.size() ? next : 0;
    next = picked + 1;
    return picked;
  }
}
