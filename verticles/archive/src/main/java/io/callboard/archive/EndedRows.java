package io.callboard.archive;

import java.time.Instant;
import java.util.List;

/**
 * Rows of jobs that ended in a state before a time.
 *
 * @param state the state
 * @param before the time
 * @param types names of types
 * @param others whether all types but these are meant
 */
public record EndedRows(String state, Instant before, List<String> types, boolean others) {
  /** Copies the list. */
  public EndedRows {
    types = List.copyOf(types);
  }
}
