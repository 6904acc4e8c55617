package io.callboard.workflows.internal.index;

import io.callboard.grid.internal.index.Coverage;
import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Numbers of instances of all nodes, added up. Pure. */
@Machine
final class MergedCounts {
  private static final Comparator<InstanceCount> ORDER =
      Comparator.comparing(InstanceCount::definition)
          .thenComparing(InstanceCount::version)
          .thenComparing(InstanceCount::state);

  private MergedCounts() {}

  /**
   * Adds up the answers of nodes. They are whole if every partition was answered for; where a node
   * of an older version answers, which does not say for which it does, if every node has answered
   * and none is still reading. While one is, what is not answered for may be what it reads: nodes
   * without an index are not missed then.
   *
   * @param missing nodes that gave no answer
   * @param without those of them that have no index
   * @param partitions number of partitions
   */
  static InstanceCounts of(
      Collection<InstancesAnswer.Counts> answers,
      Set<String> missing,
      Set<String> without,
      int partitions) {
    Map<InstanceCount, Long> sums = new TreeMap<>(ORDER);
    Set<Integer> known = new HashSet<>();
    boolean older = false;
    boolean reading = false;
    for (InstancesAnswer.Counts answer : answers) {
      answer.counts().forEach(each -> sums.merge(each, each.count(), Long::sum));
      Coverage owned = answer.owned();
      if (owned == null) {
        older = true;
      } else {
        known.addAll(owned.epochs().keySet());
        reading |= owned.reading();
      }
    }
    boolean whole = known.size() == partitions || (older && missing.isEmpty() && !reading);
    Set<String> missed = new TreeSet<>(missing);
    if (reading) {
      missed.removeAll(without);
    }
    return new InstanceCounts(
        sums.entrySet().stream().map(sum -> sum.getKey().of(sum.getValue())).toList(),
        !whole,
        whole ? List.of() : List.copyOf(missed));
  }
}
