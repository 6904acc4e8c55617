package io.callboard.workflows.internal.starts;

import io.callboard.workflows.model.BrakeView;
import java.util.List;

/** Answers of the start desk. */
public sealed interface StartReply {
  /**
   * Answer to the report of a node.
   *
   * @param answer the answer
   */
  record Answered(StartAnswer answer) implements StartReply {}

  /**
   * Brakes.
   *
   * @param brakes the brakes
   */
  record Brakes(List<BrakeView> brakes) implements StartReply {
    /** Copies the list. */
    public Brakes {
      brakes = List.copyOf(brakes);
    }
  }
}
