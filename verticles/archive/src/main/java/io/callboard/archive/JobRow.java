package io.callboard.archive;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ended job, as it is written to the database.
 *
 * @param id its id, a UUID of version 7
 * @param version number that grows with each change of the job; an older version never replaces a
 *     newer one
 * @param type name of its type
 * @param state state in which it ended
 * @param createdAt time of its submission
 * @param endedAt time of its end
 * @param labels its labels
 * @param search text in which it is searched
 * @param body the whole job, as it is read again
 * @param view the job as lists show it
 * @param result its result, for readers of the table; null for none
 * @param runs its runs, oldest first
 * @param events its events, oldest first
 */
public record JobRow(
    String id,
    long version,
    String type,
    String state,
    Instant createdAt,
    Instant endedAt,
    Map<String, String> labels,
    String search,
    String body,
    String view,
    @Nullable String result,
    List<Run> runs,
    List<Event> events) {
  /** Copies the collections. */
  public JobRow {
    labels = Map.copyOf(labels);
    runs = List.copyOf(runs);
    events = List.copyOf(events);
  }

  /**
   * Run of a job.
   *
   * @param runId its number within the job
   * @param state state in which it ended
   * @param host name of the host that ran it
   * @param exitCode its exit code; null if it has none
   * @param startedAt its start; null if it never started
   * @param endedAt its end; null if that is unknown
   * @param error reason of its failure; null for none
   * @param logEnd last part of its output; null for none
   */
  public record Run(
      int runId,
      String state,
      String host,
      @Nullable Integer exitCode,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String error,
      @Nullable String logEnd) {}

  /**
   * Event in the life of a job.
   *
   * @param at its time
   * @param what description, for people
   */
  public record Event(Instant at, String what) {}
}
