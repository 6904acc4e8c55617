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
 * Request of a submitter: what to run, when, and how often to try.
 *
 * @param command program and arguments
 * @param priority 0 to 9, higher first
 * @param runAt not before; null for now
 * @param uniqueKey a second job with the key of a live one is not made; null for none
 * @param onLost rerun, hold or fail: what happens when the host of a run dies
 * @param typesRetry whether the retry policy of its type counts, and {@code retry} is only what a
 *     node takes that does not know this; null for no
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
    @Nullable Boolean typesRetry) {

  /** The priority of a job that names none. */
  public static final int DEFAULT_PRIORITY = 5;

  public JobSpec {
    command = List.copyOf(command);
    env = Map.copyOf(env);
    labels = Map.copyOf(labels);
  }

  /**
   * @param retry null for that of its type
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
        retry == null ? true : null);
  }

  /** The same for two specifications that ask for the same, in whatever order their maps are. */
  public String fingerprint() {
    Map<String, Object> parts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> part : Json.uncheckedTree(this).properties()) {
      parts.put(part.getKey(), part.getValue());
    }
    parts.put("env", new TreeMap<>(env));
    parts.put("labels", new TreeMap<>(labels));
    return Digest.of(Json.uncheckedTree(parts).toString());
  }

  /** A process with every default. */
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
   * How long a job may wait in the queue, one run may take, and all of it may take, from the
   * submission or the last rerun on.
   */
  public record JobTimeouts(
      @Nullable Duration queue, @Nullable Duration run, @Nullable Duration total) {
    public static final JobTimeouts NONE = new JobTimeouts(null, null, null);
  }
}
