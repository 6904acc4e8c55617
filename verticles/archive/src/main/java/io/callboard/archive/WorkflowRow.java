package io.callboard.archive;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ended workflow instance, as it is written to the database.
 *
 * @param id its id, a UUID of version 7
 * @param version number that grows with each change of the instance; an older version never
 *     replaces a newer one
 * @param definition name of its definition
 * @param definitionVersion version of the definition
 * @param state state in which it ended
 * @param parent id of the instance that it was a step of; null for none
 * @param createdAt time of its creation
 * @param endedAt time of its end
 * @param labels its labels
 * @param search text in which it is searched
 * @param body the whole instance, as it is read again
 * @param view the instance as lists show it
 * @param steps its steps, in the order of their declaration
 * @param events its events, oldest first
 */
public record WorkflowRow(
    String id,
    long version,
    String definition,
    String definitionVersion,
    String state,
    @Nullable String parent,
    Instant createdAt,
    Instant endedAt,
    Map<String, String> labels,
    String search,
    String body,
    String view,
    List<Step> steps,
    List<Event> events) {
  /** Copies the collections. */
  public WorkflowRow {
    labels = Map.copyOf(labels);
    steps = List.copyOf(steps);
    events = List.copyOf(events);
  }

  /**
   * Step of an instance, for readers of the table.
   *
   * @param id its id
   * @param state state in which it ended
   * @param attempts number of its attempts
   * @param startedAt its start; null if it never started
   * @param endedAt its end; null if that is unknown
   * @param reason why it did not succeed; null for none
   * @param output its output as JSON; null for none
   */
  public record Step(
      String id,
      String state,
      int attempts,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String reason,
      @Nullable String output) {}

  /**
   * Event in the life of an instance, for readers of the table.
   *
   * @param at its time
   * @param step id of its step; null if it concerns the instance
   * @param what what happened, in a few words
   * @param detail reason or further data; null for none
   */
  public record Event(Instant at, @Nullable String step, String what, @Nullable String detail) {}
}
