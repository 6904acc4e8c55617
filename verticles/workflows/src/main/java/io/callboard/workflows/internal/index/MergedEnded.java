package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * Ended instances of all nodes.
 *
 * @param count their number
 * @param first those that go first, in that order, without those that are held
 * @param complete whether every partition was answered for
 */
@Machine
public record MergedEnded(long count, List<EndedInstance> first, boolean complete) {
  /**
   * Merges the answers of nodes. Of a partition for which two nodes answer, as it changes hands,
   * the answer of the higher epoch counts, so no instance is counted twice.
   *
   * @param partitions number of partitions
   * @param partition returns the partition of an instance
   * @param most maximum number of instances that are named
   */
  static MergedEnded of(
      Collection<InstancesAnswer.Ended> answers,
      int partitions,
      ToIntFunction<String> partition,
      EndedOrder order,
      int most) {
    Map<Integer, Long> newest = new HashMap<>();
    for (InstancesAnswer.Ended answer : answers) {
      answer.owned().epochs().forEach((which, epoch) -> newest.merge(which, epoch, Math::max));
    }
    long count = 0;
    TreeSet<EndedInstance> first = new TreeSet<>(order);
    for (InstancesAnswer.Ended answer : answers) {
      Map<Integer, Long> epochs = answer.owned().epochs();
      for (Map.Entry<Integer, Integer> each : answer.counts().entrySet()) {
        Long epoch = epochs.get(each.getKey());
        if (epoch != null && epoch.equals(newest.get(each.getKey()))) {
          count += each.getValue();
        }
      }
      for (EndedInstance instance : answer.first()) {
        int which = partition.applyAsInt(instance.id());
        Long epoch = epochs.get(which);
        if (epoch != null && epoch.equals(newest.get(which))) {
          first.add(instance);
        }
      }
    }
    return new MergedEnded(count, first.stream().limit(most).toList(), newest.size() == partitions);
  }
}
