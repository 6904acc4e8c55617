package io.callboard.workflows.internal.index;

import io.callboard.workflows.model.WorkflowQuery;
import java.time.Instant;

/** Commands of the index of instances of a node. */
public sealed interface InstancesCommand {
  /**
   * Asks for the first rows of a list; answered with {@link InstancesAnswer.Rows}.
   *
   * @param query filter, order and cursor
   * @param most maximum number of rows
   */
  record List(WorkflowQuery query, int most) implements InstancesCommand {}

  /**
   * Asks for what the node has counted of a definition; answered with {@link
   * InstancesAnswer.Counted}.
   *
   * @param definition name of the definition
   */
  record Tally(String definition) implements InstancesCommand {}

  /**
   * Asks for the steps whose jobs are of a type that no node has made; answered with {@link
   * InstancesAnswer.Waiting}.
   */
  record Waiting() implements InstancesCommand {}

  /** Asks for the numbers of instances; answered with {@link InstancesAnswer.Counts}. */
  record Count() implements InstancesCommand {}

  /**
   * Asks for the instances that have ended; answered with {@link InstancesAnswer.Ended}.
   *
   * @param most maximum number of instances that are named, those that go first
   * @param cutoff time before which instances that ended are too old
   */
  record Ended(int most, Instant cutoff) implements InstancesCommand {}

  /**
   * Asks which of some instances have not ended; answered with {@link InstancesAnswer.Running}.
   *
   * @param ids ids of the instances
   */
  record Running(java.util.List<String> ids) implements InstancesCommand {}

  /**
   * Asks which of some instances are in the cell; answered with {@link InstancesAnswer.Known}.
   *
   * @param ids ids of the instances
   */
  record Known(java.util.List<String> ids) implements InstancesCommand {}
}
