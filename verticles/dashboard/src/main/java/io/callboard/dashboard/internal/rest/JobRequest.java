package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.jobs.model.CommandLimits;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Body of a submission as a {@link JobSpec}. Pure. */
final class JobRequest {
  private final JsonNode body;
  private final List<Fault> faults = new ArrayList<>();

  private JobRequest(JsonNode body) {
    this.body = body;
  }

  /**
   * Returns the specification.
   *
   * @param body body that matches the contract's schema
   * @throws ProblemException of kind {@code INVALID} with every fault that the schema cannot
   *     express
   */
  static JobSpec parse(JsonNode body) {
    return new JobRequest(body).spec();
  }

  private JobSpec spec() {
    List<String> command = new ArrayList<>();
    body.path("command").forEach(argument -> command.add(argument.asText()));
    Map<String, String> env = texts("env");
    JsonNode args = body.get("args");
    if (args == null) {
      checkCommand(command, env);
    } else {
      checkArgs(args);
    }
    JobSpec spec =
        JobSpec.process(body.path("type").asText(JobType.PROCESS), command)
            .withEnv(env)
            .withPriority(body.path("priority").asInt(JobSpec.DEFAULT_PRIORITY))
            .withRunAt(time("runAt"))
            .withUniqueKey(body.has("uniqueKey") ? body.get("uniqueKey").asText() : null)
            .withLabels(texts("labels"))
            .withRetry(ownRetry())
            .withTimeouts(
                new JobTimeouts(
                    timeout("queue"), timeout("run"), timeout("total"), timeout("progress")))
            .withOnLost(body.path("onLost").asText("rerun"))
            .requiring(texts("requires"))
            .withArgs(args);
    if (body.has("nice")) {
      spec = spec.withNice(body.get("nice").asInt());
    }
    if (!faults.isEmpty()) {
      throw ProblemException.invalid(faults);
    }
    return spec;
  }

  /**
   * Returns the job's own retry policy, with omitted fields as for one attempt; null if it has none
   * and its type's counts.
   */
  private @Nullable RetryPolicy ownRetry() {
    return body.has("retry") ? retry(body.get("retry"), RetryPolicy.ONCE, faults) : null;
  }

  private void checkArgs(JsonNode args) {
    try {
      byte[] unused = Json.data("the object", args);
    } catch (CodecException e) {
      faults.add(new Fault("/args", String.valueOf(e.getMessage())));
    }
    MaskedValueCheck.fault("/args", args).ifPresent(faults::add);
    for (String field : List.of("command", "env", "nice")) {
      if (body.has(field)) {
        faults.add(new Fault("/" + field, JobSpec.OF_PROCESSES));
      }
    }
  }

  private void checkCommand(List<String> command, Map<String, String> env) {
    if (command.isEmpty()) {
      faults.add(new Fault("/command", JobSpec.NO_COMMAND));
      return;
    }
    Stream.concat(
            CommandLimits.faults(command, env).stream(),
            CommandLimits.faultsOfUsers(command, env).stream())
        .forEach(defect -> faults.add(new Fault(defect.pointer(), defect.problem())));
    for (String field : List.of("command", "env")) {
      MaskedValueCheck.fault("/" + field, body.path(field)).ifPresent(faults::add);
    }
  }

  private Map<String, String> texts(String field) {
    Map<String, String> texts = new LinkedHashMap<>();
    body.path(field).properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
    return texts;
  }

  private @Nullable Instant time(String field) {
    return body.has(field) ? IsoText.time(body.get(field).asText()) : null;
  }

  private @Nullable Duration timeout(String name) {
    JsonNode given = body.path("timeouts").path(name);
    return given.isMissingNode() ? null : duration(given, "/timeouts/" + name, faults);
  }

  /**
   * Returns a retry policy.
   *
   * @param defaults values of omitted fields
   * @param faults receives the faults
   */
  static RetryPolicy retry(JsonNode retry, RetryPolicy defaults, List<Fault> faults) {
    if (retry.isMissingNode()) {
      return defaults;
    }
    Duration initial =
        retry.has("initial")
            ? duration(retry.get("initial"), "/retry/initial", faults)
            : defaults.initial();
    Duration max =
        retry.has("max") ? duration(retry.get("max"), "/retry/max", faults) : defaults.max();
    if (initial.compareTo(max) > 0) {
      faults.add(
          new Fault(
              "/retry/initial",
              "must be at most /retry/max, but %s exceeds %s".formatted(initial, max)));
    }
    return new RetryPolicy(retry.path("attempts").asInt(defaults.attempts()), initial, max);
  }

  private static Duration duration(JsonNode text, String pointer, List<Fault> faults) {
    Duration duration = IsoText.duration(text.asText());
    if (duration.isZero() || duration.compareTo(JobSpec.LONGEST) > 0) {
      faults.add(new Fault(pointer, "must be more than zero and at most ten years"));
    }
    return duration;
  }
}
