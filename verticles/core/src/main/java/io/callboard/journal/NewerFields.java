package io.callboard.journal;

import io.callboard.codecs.UnknownFields;

/**
 * Fields read by a replay that its code does not know, because newer code wrote them.
 *
 * @param inState fields of the snapshot, or of the state that was written in place
 * @param inEvents whether events had some: the state that they led to may lack what newer code
 *     would make of them
 * @hidden for the toolkit alone
 */
public record NewerFields(UnknownFields inState, boolean inEvents) {
  /** Absence of unknown fields. */
  public static final NewerFields NONE = new NewerFields(UnknownFields.NONE, false);

  /** Returns whether neither the state nor the events had unknown fields. */
  public boolean isEmpty() {
    return inState.isEmpty() && !inEvents;
  }
}
