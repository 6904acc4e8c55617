package io.callboard.grid.internal.index;

import io.callboard.time.Machine;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Rows of a list of all nodes.
 *
 * @param rows first rows, in the order of the list
 * @param complete whether every partition was answered for
 * @param missing if not, nodes that gave no answer, sorted
 * @param reading whether a node is still reading one
 */
@Machine
public record CellRows<R>(List<R> rows, boolean complete, List<String> missing, boolean reading) {
  /** Answer of one node. */
  public record Answer<R>(List<R> rows, Coverage coverage) {
    private boolean counts(int partition, Map<Integer, Long> newest) {
      Long best = newest.get(partition);
      return best == null || best.equals(coverage.epochs().get(partition));
    }
  }

  /**
   * Kind of the rows.
   *
   * @param id returns the id of a row
   * @param version returns a number that grows with each change of what it is of
   * @param partition returns the partition of an id
   */
  public record Kind<R>(
      Function<R, String> id, ToLongFunction<R> version, ToIntFunction<String> partition) {
    private R newer(R one, R other) {
      return version.applyAsLong(one) >= version.applyAsLong(other) ? one : other;
    }
  }

  /**
   * Merges the answers of nodes. Of a partition for which two nodes answer, as it changes hands,
   * the answer of the higher epoch counts.
   *
   * @param missing nodes that gave no answer
   * @param partitions number of partitions
   * @param ascending whether the list is in the order of the ids, and not the other way round
   * @param most maximum number of rows
   */
  public static <R> CellRows<R> of(
      Collection<Answer<R>> answers,
      Kind<R> kind,
      Set<String> missing,
      int partitions,
      boolean ascending,
      int most) {
    Map<Integer, Long> newest = new HashMap<>();
    for (Answer<R> answer : answers) {
      answer.coverage().epochs().forEach((which, epoch) -> newest.merge(which, epoch, Math::max));
    }
    Map<String, R> rows = new HashMap<>();
    for (Answer<R> answer : answers) {
      for (R row : answer.rows()) {
        String id = kind.id().apply(row);
        if (answer.counts(kind.partition().applyAsInt(id), newest)) {
          R unused = rows.merge(id, row, kind::newer);
        }
      }
    }
    boolean complete = newest.size() == partitions;
    Comparator<R> byId = Comparator.comparing(kind.id());
    return new CellRows<>(
        rows.values().stream().sorted(ascending ? byId : byId.reversed()).limit(most).toList(),
        complete,
        complete ? List.of() : missing.stream().sorted().toList(),
        answers.stream().anyMatch(answer -> answer.coverage().reading()));
  }
}
