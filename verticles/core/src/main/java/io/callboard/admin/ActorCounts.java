package io.callboard.admin;

import io.callboard.admin.ActorStatus.State;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Numbers of a node's actors by state; a state that no actor has is not in the map.
 *
 * @param application actors of the application
 * @param toolkit the toolkit's own actors: those of the scheduling zone {@code toolkit}
 */
public record ActorCounts(Map<State, Long> application, Map<State, Long> toolkit) {
  /** Copies the maps. */
  public ActorCounts {
    application = copy(application);
    toolkit = copy(toolkit);
  }

  private static Map<State, Long> copy(Map<State, Long> counts) {
    Map<State, Long> copy = new EnumMap<>(State.class);
    copy.putAll(counts);
    return Collections.unmodifiableMap(copy);
  }
}
