package io.callboard.grid;

import java.util.List;

/**
 * Faults of a grid.
 *
 * @param missing nodes that are suspected of having failed, and those whose session has ended
 *     without their leaving: each of these until a node of its name joins again
 * @param findings findings that the grid monitor published last, on whichever node it runs
 */
public record GridStatus(List<MissingNode> missing, Findings findings) {
  /** Copies the list. */
  public GridStatus {
    missing = List.copyOf(missing);
  }
}
