package io.callboard.workflows.internal.starts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Report of a node to the start desk. All numbers are absolute, so that a report may be lost, late
 * or doubled.
 *
 * @param node name of the node
 * @param boot boot id of the node
 * @param epoch epoch of the desk that the node knows; 0 for none
 * @param number number of the report, rising within a boot
 * @param definitions what the node has of each definition
 * @param messages messages that are under way on the node; null for none
 * @param room how many more instances may begin on the node without a permit; null if no desk has
 *     told it, also from an earlier version
 */
public record StartReport(
    String node,
    String boot,
    long epoch,
    long number,
    List<OfDefinition> definitions,
    @Nullable Integer messages,
    @Nullable Integer room) {
  /** Copies the list. */
  public StartReport {
    definitions = List.copyOf(definitions);
  }

  /**
   * Instances of one definition on the node.
   *
   * @param definition name of the definition
   * @param running instances that have begun and not ended
   * @param counted those of them that count against the credit of the brake that the node knows
   * @param waiting instances that wait for a permit
   * @param used permits of this epoch that were used or given back
   * @param succeeded instances that ended well since the node started
   * @param failed instances that failed since the node started
   * @param weight weight of the version that came last; null for 1
   */
  public record OfDefinition(
      String definition,
      int running,
      int counted,
      int waiting,
      long used,
      long succeeded,
      long failed,
      @Nullable Integer weight) {}
}
