package io.callboard.grid;

import java.util.List;
import java.util.Optional;

/**
 * Current findings of the grid monitor.
 *
 * @param by name of the node that runs the monitor; empty while none does, and then an empty list
 *     does not mean that all is well
 * @param items defects seen in two consecutive scans
 */
public record Findings(Optional<String> by, List<Finding> items) {
  /** Findings while no node runs the monitor. */
  static final Findings NONE = new Findings(Optional.empty(), List.of());

  /** Copies the list. */
  public Findings {
    items = List.copyOf(items);
  }
}
