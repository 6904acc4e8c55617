package io.callboard.chaos.runs;

import java.util.Optional;

/**
 * Line that a run of a workflow's step wrote about itself.
 *
 * @param what {@code begin}: it has begun; {@code end}: it comes to its end; {@code twice}: another
 *     run of its step was alive as it began
 * @param instance id of its instance
 * @param step id of its step
 * @param run its number
 * @param atNs time of the machine's monotonic clock, the same for all processes
 * @param node node on which it ran
 * @param process number of that node's process
 */
public record StepLine(
    String what, String instance, String step, int run, long atNs, String node, long process) {
  private static final int FIELDS = 7;

  /**
   * Returns the line of a text; empty if it is none, as the last line of a killed process may be
   * torn.
   */
  public static Optional<StepLine> parse(String text) {
    String[] fields = text.split(" ", -1);
    if (fields.length != FIELDS || fields[FIELDS - 1].isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new StepLine(
              fields[0].intern(),
              fields[1].intern(),
              fields[2].intern(),
              Integer.parseInt(fields[3]),
              Long.parseLong(fields[4]),
              fields[5].intern(),
              Long.parseLong(fields[6])));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns the line as it is written. */
  public String text() {
    return "%s %s %s %d %d %s %d".formatted(what, instance, step, run, atNs, node, process);
  }

  /** Returns the name of the step within its instance. */
  String id() {
    return instance + "/" + step;
  }
}
