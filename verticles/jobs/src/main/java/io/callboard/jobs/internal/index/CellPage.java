package io.callboard.jobs.internal.index;

import io.callboard.grid.internal.index.CellRows;
import io.callboard.time.Machine;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Rows of a list of all nodes.
 *
 * @param rows first rows, in the order of the list
 * @param known those of the jobs asked for that have a record, or were deleted
 * @param complete whether every partition was answered for
 * @param missing if not, nodes that gave no answer, sorted
 * @param reading whether a node is still reading one
 */
@Machine
public record CellPage(
    List<RowRef> rows, Set<String> known, boolean complete, List<String> missing, boolean reading) {

  /** Merges the answers of nodes, as {@link CellRows#of} does. */
  static CellPage of(
      Collection<IndexAnswer.Page> answers,
      Set<String> missing,
      int partitions,
      ToIntFunction<String> partition,
      boolean ascending,
      int most) {
    CellRows<RowRef> merged =
        CellRows.of(
            answers.stream()
                .map(answer -> new CellRows.Answer<>(answer.rows(), answer.coverage()))
                .toList(),
            new CellRows.Kind<>(RowRef::id, RowRef::version, partition),
            missing,
            partitions,
            ascending,
            most);
    return new CellPage(
        merged.rows(),
        answers.stream().flatMap(answer -> answer.known().stream()).collect(Collectors.toSet()),
        merged.complete(),
        merged.missing(),
        merged.reading());
  }
}
