package io.callboard.archive;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a projection is.
 *
 * @param position of the last event that it has applied
 * @param last position of its feed in the archive
 * @param oldest when the first event was committed that it has not applied; empty if there is none
 */
public record ProjectionStatus(
    String name, String feed, long position, long last, Optional<Instant> oldest) {
  /** Events that it has not applied. */
  public long lag() {
    return last - position;
  }
}
