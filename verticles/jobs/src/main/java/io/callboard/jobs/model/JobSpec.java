package io.callboard.jobs.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a job: what to run, when, and how often to try.
 *
 * @param type name of the type
 * @param command program and arguments; empty for a handler
 * @param env environment variables, added to the host's minimal ones
 * @param priority 0 to 9, higher first
 * @param runAt earliest start; null for now
 * @param uniqueKey key that only one job which has not ended can hold: a second submission returns
 *     that job; null for none
 * @param labels labels for people and filters
 * @param retry retry policy
 * @param timeouts time limits
 * @param onLost what happens when the host of a run dies: rerun, hold or fail
 * @param typesRetry whether the retry policy of the type counts, and {@code retry} is only for
 *     nodes that do not know this component; null for no
 * @param nice how much its processes give way to others, 0 to 19; null for 0
 * @param requires labels that its host must have; null for none
 * @param args arguments of its handler, as JSON; null for a process
 */
public record JobSpec(
    String type,
    List<String> command,
    Map<String, String> env,
    int priority,
    @Nullable Instant runAt,
    @Nullable String uniqueKey,
    Map<String, String> labels,
    RetryPolicy retry,
    JobTimeouts timeouts,
    String onLost,
    @Nullable Boolean typesRetry,
    @Nullable Integer nice,
    @Nullable Map<String, String> requires,
    @Nullable JsonNode args) {

  /** Most bytes of a specification as JSON: with it, the record of its job keeps to its limit. */
  public static final int MOST_BYTES = 512 << 10;

  /** Refusal of a submission that has neither a command nor arguments. */
  public static final String NO_COMMAND =
      "is missing: give a command, or args for a type whose runner is handler";

  /** Refusal of what only a process has, beside arguments. */
  public static final String OF_PROCESSES = "goes with processes, not with args for a handler";

  /** Priority of a job that names none. */
  public static final int DEFAULT_PRIORITY = 5;

  /** Copies the collections. */
  public JobSpec {
    command = List.copyOf(command);
    env = Map.copyOf(env);
    labels = Map.copyOf(labels);
    requires = requires == null || requires.isEmpty() ? null : Map.copyOf(requires);
  }

  /**
   * Creates a specification that any host may run, whose retry policy may be that of its type.
   *
   * @param retry retry policy; null for that of the type
   */
  public JobSpec(
      String type,
      List<String> command,
      Map<String, String> env,
      int priority,
      @Nullable Instant runAt,
      @Nullable String uniqueKey,
      Map<String, String> labels,
      @Nullable RetryPolicy retry,
      JobTimeouts timeouts,
      String onLost) {
    this(
        type,
        command,
        env,
        priority,
        runAt,
        uniqueKey,
        labels,
        retry == null ? RetryPolicy.ONCE : retry,
        timeouts,
        onLost,
        retry == null ? true : null,
        null,
        null,
        null);
  }

  /** Returns the specification with labels that its host must have. */
  public JobSpec requiring(Map<String, String> hostLabels) {
    return new JobSpec(
        type,
        command,
        env,
        priority,
        runAt,
        uniqueKey,
        labels,
        retry,
        timeouts,
        onLost,
        typesRetry,
        nice,
        hostLabels,
        args);
  }

  /** Returns the specification with that niceness; null for 0. */
  public JobSpec withNice(@Nullable Integer itsNice) {
    return new JobSpec(
        type,
        command,
        env,
        priority,
        runAt,
        uniqueKey,
        labels,
        retry,
        timeouts,
        onLost,
        typesRetry,
        itsNice,
        requires,
        args);
  }

  /** Returns the specification with arguments of a handler; null for a process. */
  public JobSpec withArgs(@Nullable JsonNode its) {
    return new JobSpec(
        type,
        command,
        env,
        priority,
        runAt,
        uniqueKey,
        labels,
        retry,
        timeouts,
        onLost,
        typesRetry,
        nice,
        requires,
        its);
  }

  /** Returns whether it is to run in a handler; otherwise as a process. */
  public boolean ofHandler() {
    return args != null;
  }

  /**
   * Returns a digest that is equal for specifications that ask for the same, in whatever order
   * their maps are.
   */
  public String fingerprint() {
    Map<String, Object> parts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> part : Json.uncheckedTree(this).properties()) {
      parts.put(part.getKey(), part.getValue());
    }
    parts.put("env", new TreeMap<>(env));
    parts.put("labels", new TreeMap<>(labels));
    if (requires != null) {
      parts.put("requires", new TreeMap<>(requires));
    }
    return Digest.of(Json.uncheckedTree(parts).toString());
  }

  /** Returns the specification of a process with every default. */
  public static JobSpec process(String type, List<String> command) {
    return new JobSpec(
        type,
        command,
        Map.of(),
        DEFAULT_PRIORITY,
        null,
        null,
        Map.of(),
        null,
        JobTimeouts.NONE,
        "rerun");
  }

  /**
   * Returns the specification of a job of a handler with every default.
   *
   * @param args arguments, which the handler reads as its class
   * @throws io.callboard.codecs.CodecException if they cannot be written as JSON
   */
  public static JobSpec handler(String type, Object args) {
    String what = "the arguments of the job";
    return process(type, List.of()).withArgs(Json.parseData(what, Json.data(what, args)));
  }

  /**
   * Time limits of a job; null means no limit.
   *
   * @param queue time that it may wait in the queue for a run
   * @param run duration of one run
   * @param total duration of the whole job, counted from the submission or the last rerun
   * @param progress time without a new progress or checkpoint after which a run counts as stalled;
   *     it goes on
   */
  public record JobTimeouts(
      @Nullable Duration queue,
      @Nullable Duration run,
      @Nullable Duration total,
      @Nullable Duration progress) {
    /** Timeouts without any limit. */
    public static final JobTimeouts NONE = new JobTimeouts(null, null, null, null);

    /** Creates timeouts without one for progress. */
    public JobTimeouts(@Nullable Duration queue, @Nullable Duration run, @Nullable Duration total) {
      this(queue, run, total, null);
    }
  }
}
