package io.callboard.jobs.protocol;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the monitor of a host. */
public sealed interface MonitorCommand {
  /**
   * Start a run, if this host is still of that boot.
   *
   * @param epoch the run's fencing token
   * @param runTimeout after which it is killed; null for never
   * @param term of the host when it was granted; it does not start in a later one. Null from an
   *     older node: 0
   */
  record Start(
      String job,
      int runId,
      String boot,
      List<String> command,
      Map<String, String> env,
      long epoch,
      @Nullable Duration runTimeout,
      @Nullable Integer term)
      implements MonitorCommand {}

  /**
   * End a run, {@code job/runId}, of that boot. Another boot of the host says nothing of it: it
   * cannot know whether the run is gone.
   *
   * @param boot null from an older node: any
   */
  record Kill(String run, String why, @Nullable String boot) implements MonitorCommand {}

  /**
   * The gate misses these runs of that boot: those that are not here are to be refused from now on,
   * and reported with {@link GateCommand.Disowned}.
   *
   * @param runs each {@code job/runId}
   */
  record Disown(String boot, List<String> runs) implements MonitorCommand {}

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

  /** To itself: report to the gate which runs are here. */
  record Report() implements MonitorCommand {}
}
