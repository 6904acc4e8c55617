package io.callboard.jobs.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.jobs.model.FileContent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the monitor of a host. */
public sealed interface MonitorCommand {
  /**
   * Starts a run, if this host is still of that boot.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   * @param boot boot id of the host when it was granted
   * @param command program and arguments
   * @param env environment variables
   * @param epoch fencing token of the run
   * @param runTimeout duration after which it is killed; null for never
   * @param term term of the host when it was granted; the run does not start in a later one; null
   *     from an older node, which means 0
   * @param progressTimeout time without progress after which it counts as stalled; null for never
   * @param checkpoint last checkpoint of the runs before; null for none
   * @param nice how much it gives way to others, 0 to 19; null for 0
   * @param type name of the type of its job; null from an older node
   * @param handler name of the handler that runs it; null for a process
   * @param args arguments of the handler; null for a process
   * @param attempt number of the attempt, from 1; null from an older node
   */
  record Start(
      String job,
      int runId,
      String boot,
      List<String> command,
      Map<String, String> env,
      long epoch,
      @Nullable Duration runTimeout,
      @Nullable Integer term,
      @Nullable Duration progressTimeout,
      @Nullable FileContent checkpoint,
      @Nullable Integer nice,
      @Nullable String type,
      @Nullable String handler,
      @Nullable JsonNode args,
      @Nullable Integer attempt)
      implements MonitorCommand {}

  /**
   * Kills a run of that boot. Another boot of the host does not answer: it cannot know whether the
   * run is gone.
   *
   * @param run the run, {@code job/runId}
   * @param why reason, for people
   * @param boot boot id of the host; null from an older node, for any
   */
  record Kill(String run, String why, @Nullable String boot) implements MonitorCommand {}

  /**
   * Question of the gate, which misses these runs of that boot: those that are not here are refused
   * from now on and reported with {@link GateCommand.Disowned}.
   *
   * @param boot boot id of the host
   * @param runs runs, each {@code job/runId}
   */
  record Disown(String boot, List<String> runs) implements MonitorCommand {}

  /**
   * Question of the gate how these runs of that boot are, which make no progress; answered with
   * {@link GateCommand.Inspected}. Those that are not here are refused from now on.
   *
   * @param boot boot id of the host
   * @param runs runs, each {@code job/runId}
   */
  record Inspect(String boot, List<String> runs) implements MonitorCommand {}

  /**
   * Asks whether arguments fit a handler of this host; answered with {@link MonitorAnswer.Checked}.
   *
   * @param handler name of the handler
   * @param args arguments of a job that is not accepted yet
   */
  record Check(String handler, JsonNode args) implements MonitorCommand {}

  /**
   * Asks for output of a run; answered with {@link MonitorAnswer.Log} or, given an offset, with
   * {@link MonitorAnswer.Part}.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   * @param tailLines number of lines from the end; null for all that fit
   * @param offset position of the first byte, from the end if negative; null for text
   * @param most maximum number of bytes of the part; null for as many as fit an answer
   */
  record ReadLog(
      String job,
      int runId,
      @Nullable Integer tailLines,
      @Nullable Long offset,
      @Nullable Integer most)
      implements MonitorCommand {}

  /**
   * Asks for a report of the runs that are here; sent by the gate, and by the monitor to itself.
   */
  record Report() implements MonitorCommand {}
}
