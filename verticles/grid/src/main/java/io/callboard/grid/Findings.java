package io.callboard.grid;

import java.util.List;
import java.util.Optional;

/**
 * What is not as it should be in the grid.
 *
 * @param by the node whose monitor looks; empty while none does: then that there are no items says
 *     nothing
 * @param items what it saw twice in a row
 */
public record Findings(Optional<String> by, List<Finding> items) {
  /** While nobody looks. */
  static final Findings NONE = new Findings(Optional.empty(), List.of());

  public Findings {
    items = List.copyOf(items);
  }
}
