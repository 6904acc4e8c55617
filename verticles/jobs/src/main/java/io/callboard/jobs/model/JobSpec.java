package io.callboard.jobs.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.codecs.fields.GivenTexts;
import io.callboard.codecs.internal.text.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
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

  /** Earliest time of a start: RFC 3339 has years of four digits. */
  public static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

  /** Latest time of a start. */
  public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  /** Longest time limit of a job, and longest pause of its retries. */
  public static final Duration LONGEST = Duration.ofDays(3_650);

  /** Highest priority of a job; the lowest is 0. */
  public static final int MOST_PRIORITY = 9;

  /** Priority of a job that names none. */
  public static final int DEFAULT_PRIORITY = 5;

  /** Copies the collections. */
  public JobSpec {
    Objects.requireNonNull(
        type, "type is null: give the name of a job type, such as JobType.PROCESS");
    Objects.requireNonNull(retry, "retry is null: give a RetryPolicy, such as RetryPolicy.ONCE");
    Objects.requireNonNull(timeouts, "timeouts is null: give JobTimeouts.NONE for none");
    Objects.requireNonNull(onLost, "onLost is null: give rerun, hold or fail");
    command = GivenTexts.copyOf("command", command);
    env = GivenTexts.copyOf("env", env);
    labels = GivenTexts.copyOf("labels", labels);
    requires =
        requires == null || requires.isEmpty() ? null : GivenTexts.copyOf("requires", requires);
  }

  /** Components of a specification that its copies change. */
  private final class Parts {
    private Map<String, String> env = JobSpec.this.env;
    private int priority = JobSpec.this.priority;
    private @Nullable Instant runAt = JobSpec.this.runAt;
    private @Nullable String uniqueKey = JobSpec.this.uniqueKey;
    private Map<String, String> labels = JobSpec.this.labels;
    private RetryPolicy retry = JobSpec.this.retry;
    private JobTimeouts timeouts = JobSpec.this.timeouts;
    private String onLost = JobSpec.this.onLost;
    private @Nullable Boolean typesRetry = JobSpec.this.typesRetry;
    private @Nullable Integer nice = JobSpec.this.nice;
    private @Nullable Map<String, String> requires = JobSpec.this.requires;
    private @Nullable JsonNode args = JobSpec.this.args;
  }

  private JobSpec with(Consumer<Parts> change) {
    Parts its = new Parts();
    change.accept(its);
    return new JobSpec(
        type,
        command,
        its.env,
        its.priority,
        its.runAt,
        its.uniqueKey,
        its.labels,
        its.retry,
        its.timeouts,
        its.onLost,
        its.typesRetry,
        its.nice,
        its.requires,
        its.args);
  }

  /** Returns the specification with environment variables of its own. */
  public JobSpec withEnv(Map<String, String> value) {
    return with(its -> its.env = value);
  }

  /** Returns the specification with another priority, 0 to 9. */
  public JobSpec withPriority(int value) {
    return with(its -> its.priority = value);
  }

  /** Returns the specification with an earliest start; null for now. */
  public JobSpec withRunAt(@Nullable Instant value) {
    return with(its -> its.runAt = value);
  }

  /**
   * Returns the specification with a key that only one job which has not ended can hold; null for
   * none.
   */
  public JobSpec withUniqueKey(@Nullable String value) {
    return with(its -> its.uniqueKey = value);
  }

  /** Returns the specification with labels for people and filters. */
  public JobSpec withLabels(Map<String, String> value) {
    return with(its -> its.labels = value);
  }

  /** Returns the specification with a retry policy of its own; null for that of its type. */
  public JobSpec withRetry(@Nullable RetryPolicy value) {
    return with(
        its -> {
          its.retry = value == null ? RetryPolicy.ONCE : value;
          its.typesRetry = value == null ? true : null;
        });
  }

  /** Returns the specification with other time limits. */
  public JobSpec withTimeouts(JobTimeouts value) {
    return with(its -> its.timeouts = value);
  }

  /**
   * Returns the specification with what happens when the host of a run dies: rerun, hold or fail.
   */
  public JobSpec withOnLost(String value) {
    return with(its -> its.onLost = value);
  }

  /** Returns the specification with labels that its host must have. */
  public JobSpec requiring(Map<String, String> value) {
    return with(its -> its.requires = value);
  }

  /** Returns the specification with that niceness; null for 0. */
  public JobSpec withNice(@Nullable Integer value) {
    return with(its -> its.nice = value);
  }

  /** Returns the specification with arguments of a handler; null for a process. */
  public JobSpec withArgs(@Nullable JsonNode value) {
    return with(its -> its.args = value);
  }

  /** Returns whether the job runs in a handler, not as a process. */
  public boolean ofHandler() {
    return args != null;
  }

  /**
   * Returns a digest that is equal for specifications that ask for the same, independent of the
   * order of their maps.
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
    if (args != null) {
      parts.put("args", sorted(args));
    }
    return Digest.of(Json.uncheckedTree(parts).toString());
  }

  /** Returns JSON with the fields of its objects in their order, as those of a map have none. */
  private static JsonNode sorted(JsonNode json) {
    if (json.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      json.properties().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(each -> object.set(each.getKey(), sorted(each.getValue())));
      return object;
    } else if (json.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      json.forEach(each -> list.add(sorted(each)));
      return list;
    }
    return json;
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
        RetryPolicy.ONCE,
        JobTimeouts.NONE,
        "rerun",
        true,
        null,
        null,
        null);
  }

  /**
   * Returns the specification of a job of a handler with every default.
   *
   * @param args arguments, which the handler reads as its class
   * @throws io.callboard.codecs.CodecException if they cannot be written as JSON
   */
  public static JobSpec handler(String type, Object args) {
    Objects.requireNonNull(args, "args is null: give a record, or Map.of() for none");
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
