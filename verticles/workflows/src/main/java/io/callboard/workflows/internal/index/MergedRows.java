package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowQuery;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Rows of a list of all nodes.
 *
 * @param rows first rows, in the order of the list
 * @param complete whether every partition was answered for
 * @param missing if not, nodes that gave no answer, sorted
 * @param reading whether a node is still reading one
 */
@Machine
public record MergedRows(
    List<InstanceRow> rows, boolean complete, List<String> missing, boolean reading) {
  /**
   * Merges the answers of nodes. Of a partition for which two nodes answer, as it changes hands,
   * the answer of the higher epoch counts.
   *
   * @param missing nodes that gave no answer
   * @param partitions number of partitions
   * @param partition returns the partition of an instance
   * @param most maximum number of rows
   */
  static MergedRows of(
      Collection<InstancesAnswer.Rows> answers,
      Set<String> missing,
      int partitions,
      ToIntFunction<String> partition,
      WorkflowQuery query,
      int most) {
    Map<Integer, Long> newest = new HashMap<>();
    boolean reading = false;
    for (InstancesAnswer.Rows answer : answers) {
      answer.owned().epochs().forEach((which, epoch) -> newest.merge(which, epoch, Math::max));
      reading |= answer.owned().reading();
    }
    Map<String, InstanceRow> rows = new HashMap<>();
    for (InstancesAnswer.Rows answer : answers) {
      for (InstanceRow row : answer.rows()) {
        Long best = newest.get(partition.applyAsInt(row.id()));
        if (best == null
            || best.equals(answer.owned().epochs().get(partition.applyAsInt(row.id())))) {
          InstanceRow unused =
              rows.merge(
                  row.id(), row, (one, other) -> one.change() >= other.change() ? one : other);
        }
      }
    }
    boolean complete = newest.size() == partitions;
    return new MergedRows(
        rows.values().stream().sorted(new RowFilter(query).order()).limit(most).toList(),
        complete,
        complete ? List.of() : missing.stream().sorted().toList(),
        reading);
  }
}
