package io.callboard.archive;

import java.time.Instant;
import java.util.Optional;

/**
 * Progress of a projection.
 *
 * @param name name of the projection
 * @param feed tag of the feed that it follows
 * @param position position of the last event that it has applied
 * @param last last position of its feed in the archive
 * @param oldest time at which the first event that it has not applied was committed; empty if there
 *     is none
 */
public record ProjectionStatus(
    String name, String feed, long position, long last, Optional<Instant> oldest) {
  /** Returns the number of events that it has not applied. */
  public long lag() {
    return last - position;
  }
}
