package io.callboard.jobs.internal.protocol;

import java.util.List;

/**
 * Number of due runs of a backlog that the same limits of labels count, and that require the same
 * of their hosts.
 *
 * @param priority their priority
 * @param limits what counts them, of what the message names with this priority: labels with a
 *     limit, and the labels that their host must have in one word that begins with {@code @};
 *     sorted. An older backlog takes that for a label that no run has
 * @param runs how many, as the message says
 */
public record BacklogLane(int priority, List<String> limits, int runs) {
  /** Copies the list. */
  public BacklogLane {
    limits = List.copyOf(limits);
  }
}
