package io.callboard.workflows.internal.index;

import io.callboard.grid.internal.index.Coverage;
import io.callboard.workflows.internal.starts.DefinitionCounts;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.QueueView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers of the index of instances of a node. */
public sealed interface InstancesAnswer {
  /**
   * Rows of a list.
   *
   * @param rows first rows, in the order of the list
   * @param owned partitions of which the node knows all instances
   */
  record Rows(List<InstanceRow> rows, Coverage owned) implements InstancesAnswer {}

  /**
   * Counts of a definition by the node.
   *
   * @param counts the counts
   */
  record Counted(DefinitionCounts counts) implements InstancesAnswer {}

  /**
   * Steps whose jobs are of a type that no node has made.
   *
   * @param queues the steps, by definition and type
   */
  record Waiting(List<QueueView> queues) implements InstancesAnswer {}

  /**
   * Numbers of instances.
   *
   * @param counts the numbers, without zeros
   * @param owned partitions of which the node knows all instances; null from an older node
   */
  record Counts(List<InstanceCount> counts, @Nullable Coverage owned) implements InstancesAnswer {}

  /**
   * Instances that have ended.
   *
   * @param counts their numbers, by partition, of those that the node has read
   * @param first those that go first, in that order, without those that are held
   * @param owned partitions of which the node knows all instances
   */
  record Ended(Map<Integer, Integer> counts, List<EndedInstance> first, Coverage owned)
      implements InstancesAnswer {}

  /**
   * Instances that have not ended.
   *
   * @param ids their ids, of those that were asked for
   * @param owned partitions of which the node knows all instances
   */
  record Running(List<String> ids, Coverage owned) implements InstancesAnswer {}

  /**
   * Instances that are in the cell.
   *
   * @param ids their ids, of those that were asked for
   */
  record Known(List<String> ids) implements InstancesAnswer {}
}
