package io.callboard.jobs.internal.protocol;

import java.util.List;

/**
 * Stock of a backlog by its own account.
 *
 * @param due number of runs that are due, by priority from 0 to 9
 * @param seen number of runs that it was given so far, by priority
 */
public record BacklogStock(List<Integer> due, List<Long> seen) {
  /** Number of priorities. */
  public static final int PRIORITIES = 10;

  /** Copies the lists. */
  public BacklogStock {
    due = List.copyOf(due);
    seen = List.copyOf(seen);
  }
}
