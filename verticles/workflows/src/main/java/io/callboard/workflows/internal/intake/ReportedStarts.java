package io.callboard.workflows.internal.intake;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.starts.StartReport;
import io.callboard.workflows.internal.starts.StartReport.OfDefinition;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Reports of a node to the start desk, and the permits that it was given. */
@Machine
final class ReportedStarts {
  final String node;
  final String boot;
  Instant heard;

  /** Whether it has reported to this desk by its epoch, so that older permits are void. */
  boolean knowsEpoch;

  /** Messages that are under way on it. */
  int messages;

  /**
   * Maximum number of instances that may begin on it without a permit: the rest that it reported,
   * or the number of the last answer, which may be lost.
   */
  int room;

  private long number;
  private final Map<String, OfDefinition> definitions = new TreeMap<>();
  private final Map<String, Long> permits = new TreeMap<>();

  ReportedStarts(String node, String boot, Instant heard) {
    this.node = node;
    this.boot = boot;
    this.heard = heard;
  }

  /** Checks whether a report is newer than the last one, and if so takes its number. */
  boolean isNewer(StartReport report) {
    if (report.number() <= number) {
      return false;
    }
    number = report.number();
    return true;
  }

  /**
   * Puts the node's instances of a definition.
   *
   * @return those of the report before; null for none
   */
  OfDefinition put(OfDefinition has) {
    return definitions.put(has.definition(), has);
  }

  /** Forgets the definitions that are not in the report. */
  void retain(StartReport report) {
    definitions
        .keySet()
        .retainAll(report.definitions().stream().map(OfDefinition::definition).toList());
  }

  /** Returns the node's instances, by definition. */
  Map<String, OfDefinition> definitions() {
    return definitions;
  }

  /** Returns the permits that the node was given in this epoch, by definition. */
  Map<String, Long> permits() {
    return permits;
  }

  /**
   * Returns the number of permits of a definition that the node has not used, by its last report.
   */
  int unused(String definition) {
    OfDefinition has = definitions.get(definition);
    long used = has == null || !knowsEpoch ? 0 : has.used();
    return (int) Math.max(0, permits.getOrDefault(definition, 0L) - used);
  }

  /**
   * Returns the number of the node's waiting instances of a definition that have no permit on its
   * way.
   */
  int demand(String definition) {
    OfDefinition has = definitions.get(definition);
    return has == null || !knowsEpoch ? 0 : Math.max(0, has.waiting() - unused(definition));
  }

  /** Gives the node a permit. */
  void permit(String definition) {
    permits.merge(definition, 1L, Long::sum);
  }
}
