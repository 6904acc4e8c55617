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

  /** Takes a report; returns whether it is newer than what is known. */
  boolean isNewer(StartReport report) {
    if (report.number() <= number) {
      return false;
    }
    number = report.number();
    return true;
  }

  /** Puts what it has of a definition; returns what it had, null for nothing. */
  OfDefinition put(OfDefinition has) {
    return definitions.put(has.definition(), has);
  }

  /** Keeps only what is in the report. */
  void retain(StartReport report) {
    definitions
        .keySet()
        .retainAll(report.definitions().stream().map(OfDefinition::definition).toList());
  }

  /** Returns what it has, by definition. */
  Map<String, OfDefinition> definitions() {
    return definitions;
  }

  /** Returns the permits that it was given in this epoch, by definition. */
  Map<String, Long> permits() {
    return permits;
  }

  /** Returns how many permits of a definition it has not used, as far as is known. */
  int unused(String definition) {
    OfDefinition has = definitions.get(definition);
    long used = has == null || !knowsEpoch ? 0 : has.used();
    return (int) Math.max(0, permits.getOrDefault(definition, 0L) - used);
  }

  /** Returns how many instances of a definition wait on it and have no permit on its way. */
  int demand(String definition) {
    OfDefinition has = definitions.get(definition);
    return has == null || !knowsEpoch ? 0 : Math.max(0, has.waiting() - unused(definition));
  }

  /** Gives the node a permit. */
  void permit(String definition) {
    permits.merge(definition, 1L, Long::sum);
  }
}
