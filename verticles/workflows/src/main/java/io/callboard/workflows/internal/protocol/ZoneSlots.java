package io.callboard.workflows.internal.protocol;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slots that a worker offers in one scheduling zone of handlers, beside its own.
 *
 * @param zone name of the zone
 * @param slots number of runs that it takes there at once; 0 while it takes none
 * @param types what it runs there, as {@link StepRequest#type} names it, with the major version
 * @param trouble why it takes none there now, for people; null if it takes some
 */
public record ZoneSlots(String zone, int slots, Set<String> types, @Nullable String trouble) {
  /** Copies the types. */
  public ZoneSlots {
    types = Set.copyOf(types);
  }
}
