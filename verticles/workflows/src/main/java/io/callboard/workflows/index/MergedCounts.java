package io.callboard.workflows.index;

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
   * of an older version answers, which does not say for which it does, if every node has answered.
   *
   * @param missing nodes that gave no answer
   * @param partitions number of partitions
   */
  static InstanceCounts of(
      Collection<InstancesAnswer.Counts> answers, Set<String> missing, int partitions) {
    Map<InstanceCount, Long> sums = new TreeMap<>(ORDER);
    Set<Integer> known = new HashSet<>();
    boolean older = false;
    for (InstancesAnswer.Counts answer : answers) {
      answer.counts().forEach(each -> sums.merge(each, each.count(), Long::sum));
      ReadPartitions owned = answer.owned();
      if (owned == null) {
        older = true;
      } else {
        known.addAll(owned.epochs().keySet());
      }
    }
    boolean whole = known.size() == partitions || (older && missing.isEmpty());
    return new InstanceCounts(
        sums.entrySet().stream().map(sum -> sum.getKey().of(sum.getValue())).toList(),
        !whole,
        whole ? List.of() : missing.stream().sorted().toList());
  }
}
