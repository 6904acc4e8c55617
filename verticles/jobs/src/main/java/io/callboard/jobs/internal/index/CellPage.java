package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /**
   * Merges the answers of nodes. Of a partition for which two nodes answer, as it changes hands,
   * the answer of the higher epoch counts.
   *
   * @param missing nodes that gave no answer
   * @param partitions number of partitions
   * @param partition returns the partition of a job
   */
  static CellPage of(
      Collection<IndexAnswer.Page> answers,
      Set<String> missing,
      int partitions,
      ToIntFunction<String> partition,
      boolean ascending,
      int most) {
    Map<Integer, Long> newest = new HashMap<>();
    boolean reading = false;
    for (IndexAnswer.Page answer : answers) {
      answer.coverage().epochs().forEach((which, epoch) -> newest.merge(which, epoch, Math::max));
      reading |= answer.coverage().reading();
    }
    Map<String, RowRef> rows = new HashMap<>();
    Set<String> known = new HashSet<>();
    for (IndexAnswer.Page answer : answers) {
      for (RowRef row : answer.rows()) {
        if (counts(answer, partition.applyAsInt(row.id()), newest)) {
          RowRef unused = rows.merge(row.id(), row, CellPage::newer);
        }
      }
      known.addAll(answer.known());
    }
    boolean complete = newest.size() == partitions;
    Comparator<RowRef> byId = Comparator.comparing(RowRef::id);
    return new CellPage(
        rows.values().stream()
            .sorted(ascending ? byId : byId.reversed())
            .limit(most)
            .collect(Collectors.toList()),
        known,
        complete,
        complete ? List.of() : missing.stream().sorted().toList(),
        reading);
  }

  private static boolean counts(IndexAnswer.Page answer, int partition, Map<Integer, Long> newest) {
    Long best = newest.get(partition);
    return best == null || best.equals(answer.coverage().epochs().get(partition));
  }

  private static RowRef newer(RowRef one, RowRef other) {
    return one.version() >= other.version() ? one : other;
  }
}
