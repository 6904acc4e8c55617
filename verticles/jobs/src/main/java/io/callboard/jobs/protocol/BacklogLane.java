package io.callboard.jobs.protocol;

import java.util.List;

/**
 * Due runs of a backlog that the same limits of labels count, and a number of them.
 *
 * @param priority their priority
 * @param limits labels with a limit that count them, of those that the message names with this
 *     priority; sorted
 * @param runs how many, as the message says
 */
public record BacklogLane(int priority, List<String> limits, int runs) {
  /** Copies the list. */
  public BacklogLane {
    limits = List.copyOf(limits);
  }
}
