package io.callboard.admin;

import io.callboard.codecs.ActorPath;
import java.util.List;
import java.util.Map;

/**
 * Actors of a node that do not run: they failed, wait for their restart, rest or were stopped.
 *
 * @param count how many there are
 * @param worst up to a limit: the toolkit's own first, then roles, the failed, and those that wait,
 *     rest and were stopped
 * @param dependants numbers of the actors that rest because something else does, by the path of
 *     that
 */
public record DownActors(int count, List<ActorStatus> worst, Map<ActorPath, Long> dependants) {
  /** Copies the collections. */
  public DownActors {
    worst = List.copyOf(worst);
    dependants = Map.copyOf(dependants);
  }
}
