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

  /** Answered with {@link MonitorAnswer.Log}. */
  record ReadLog(String job, int runId, @Nullable Integer tailLines) implements MonitorCommand {}

  /** To itself: tell the gate what is here. */
  record Report() implements MonitorCommand {}
}
