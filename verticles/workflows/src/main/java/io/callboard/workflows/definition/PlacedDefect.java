package io.callboard.workflows.definition;

import io.callboard.workflows.graph.GraphDefect;

/**
 * Defect of a text.
 *
 * @param defect the defect
 * @param line its line, from 1
 * @param column its column, from 1
 */
public record PlacedDefect(GraphDefect defect, int line, int column) {
  static PlacedDefect of(GraphDefect defect, PlacedTree tree) {
    PlacedTree.Place place =
        tree.place(defect.pointer().equals("/") ? "" : defect.pointer())
            .orElse(new PlacedTree.Place(1, 1));
    return new PlacedDefect(defect, place.line(), place.column());
  }

  @Override
  public String toString() {
    return "%d:%d %s".formatted(line, column, defect);
  }
}
