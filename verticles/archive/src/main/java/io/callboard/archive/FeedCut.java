package io.callboard.archive;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an archive has of a feed behind a position, which is cut or would be.
 *
 * @param position of the last event that stays
 * @param last position in the archive
 * @param events behind {@code position}
 * @param actors whose they are
 * @param oldest when the first of them was committed; empty if there is none
 * @param newest when the last was
 * @param projections that have applied some of them, and begin with the first event again
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
  public FeedCut {
    projections = List.copyOf(projections);
  }
}
