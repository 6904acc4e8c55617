package io.callboard.admin;

import java.util.List;

/**
 * Actors of a node that stay interrupted: each has a long {@link ActorStatus#interrupted()}.
 *
 * @param count how many there are; if they are many, what they need is away, not something of each
 * @param longest up to a limit, those that have been interrupted for longest first
 */
public record InterruptedActors(int count, List<ActorStatus> longest) {
  /** Copies the list. */
  public InterruptedActors {
    longest = List.copyOf(longest);
  }
}
