package io.callboard.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the monitor of a host understands. */
public sealed interface MonitorCommand {
  /**
   * Start a run, if this host is still of that boot.
   *
   * @param epoch the run's fencing token
   * @param runTimeout after which it is killed; null for never
   */
  record Start(
      String job,
      int runId,
      String boot,
      List<String> command,
      Map<String, String> env,
      long epoch,
      @Nullable Duration runTimeout)
      implements MonitorCommand {}

  /** End a run, {@code job/runId}. */
  record Kill(String run, String why) implements MonitorCommand {}

  /**
   * Answered with {@link MonitorAnswer.Log} or, given an offset, with {@link MonitorAnswer.Part}.
   *
   * @param offset of the first byte, negative from the end
   * @param most bytes of the part; null for as many as fit an answer
   */
  record ReadLog(
      String job,
      int runId,
      @Nullable Integer tailLines,
      @Nullable Long offset,
      @Nullable Integer most)
      implements MonitorCommand {}

  /** To itself: tell the gate what is here. */
  record Report() implements MonitorCommand {}
}
