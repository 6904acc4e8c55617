package io.callboard.archive;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Part of a feed in an archive that lies behind a position and is cut or would be.
 *
 * @param feed tag of the feed
 * @param position position of the last event that stays
 * @param last last position in the archive
 * @param events number of events behind {@code position}
 * @param actors number of actors of these events
 * @param oldest time at which the first of them was committed; empty if there is none
 * @param newest time at which the last of them was committed; empty if there is none
 * @param projections names of the projections that have applied some of them, and restart with the
 *     first event
 */
public record FeedCut(
    String feed,
    long position,
    long last,
    long events,
    long actors,
    Optional<Instant> oldest,
    Optional<Instant> newest,
    List<String> projections) {
  /** Copies the list. */
  public FeedCut {
    projections = List.copyOf(projections);
  }
}
