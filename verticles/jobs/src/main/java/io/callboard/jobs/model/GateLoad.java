package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Load of a type at the gate: runs that use up its limit, and runs that wait.
 *
 * @param type name of the type
 * @param granted number of runs that use up its limit
 * @param longest id of the job of that which was granted first; null if there is none
 * @param longestSince when it was granted; null if there is none
 * @param due number of runs that are due and wait, those in its backlog included
 * @param oldest id of the job that has been due for longest; null if there is none, or all are in
 *     the backlog
 * @param oldestSince since when it is due; null if it is not known
 */
public record GateLoad(
    String type,
    int granted,
    @Nullable String longest,
    @Nullable Instant longestSince,
    int due,
    @Nullable String oldest,
    @Nullable Instant oldestSince) {

  /** Returns the load of a type without runs at the gate. */
  public static GateLoad none(String type) {
    return new GateLoad(type, 0, null, null, 0, null, null);
  }

  /** Returns the load with one more run that was granted at that time. */
  public GateLoad granted(String job, Instant at) {
    boolean first = longestSince == null || at.isBefore(longestSince);
    return new GateLoad(
        type,
        granted + 1,
        first ? job : longest,
        first ? at : longestSince,
        due,
        oldest,
        oldestSince);
  }

  /** Returns the load with one more run that is due since that time. */
  public GateLoad due(String job, Instant since) {
    boolean first = oldestSince == null || since.isBefore(oldestSince);
    return new GateLoad(
        type,
        granted,
        longest,
        longestSince,
        due + 1,
        first ? job : oldest,
        first ? since : oldestSince);
  }

  /** Returns the load with so many more due runs in the backlog. */
  public GateLoad beyond(int runs) {
    return new GateLoad(type, granted, longest, longestSince, due + runs, oldest, oldestSince);
  }
}
