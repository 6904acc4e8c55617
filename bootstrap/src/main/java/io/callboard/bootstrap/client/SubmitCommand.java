package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.config.IsoDuration;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Command that submits a job: a command as a process, or arguments for a handler. */
@Command(
    description =
        "Submits a job, a command or the arguments of a handler, and prints the job's id.",
    customSynopsis =
        "callboard submit [--type T] [--priority N] [--nice N] [--label KEY=VALUE]… "
            + "[--requires KEY=VALUE]… [--env KEY=VALUE]… [--unique-key KEY] [--run-at TIME] "
            + "[--retry-attempts N] [--run-timeout DURATION] [--on-lost rerun|hold|fail] [--wait] "
            + "(-- COMMAND ARG… | --args JSON)")
final class SubmitCommand extends ClientCommand {
  private static final List<String> ON_LOST = List.of("rerun", "hold", "fail");

  @Option(
      names = "--type",
      paramLabel = "T",
      defaultValue = "process",
      description = "Type of the job (default: ${DEFAULT-VALUE}).")
  String type = "process";

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "Priority from 0 to 9, higher runs first (default: 5).")
  @Nullable Integer priority;

  @Option(
      names = "--nice",
      paramLabel = "N",
      description =
          "How much its processes give way to others of the host, from 0 to 19 (default: 0).")
  @Nullable Integer nice;

  @Option(names = "--label", paramLabel = "KEY=VALUE", description = "Label; may be repeated.")
  Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--requires",
      paramLabel = "KEY=VALUE",
      description = "Label that its host must have; may be repeated.")
  Map<String, String> requires = new LinkedHashMap<>();

  @Option(
      names = "--unique-key",
      paramLabel = "KEY",
      description =
          "Key of which one job exists that has not ended: if there is one, nothing is submitted, and that one's id is printed.")
  @Nullable String uniqueKey;

  @Option(
      names = "--env",
      paramLabel = "KEY=VALUE",
      description = "Variable of its environment; may be repeated.")
  Map<String, String> env = new LinkedHashMap<>();

  @Option(
      names = "--run-at",
      paramLabel = "TIME",
      converter = IsoArguments.Moment.class,
      description = "Earliest start, such as 2026-11-21T05:30:00Z (default: now).")
  @Nullable Instant runAt;

  @Mixin RetryOptions retry = new RetryOptions();

  @Option(
      names = "--queue-timeout",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description = "Time in the queue, such as PT10M, after which it is EXPIRED.")
  @Nullable Duration queueTimeout;

  @Option(
      names = "--run-timeout",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description = "Duration of one run, which is then killed.")
  @Nullable Duration runTimeout;

  @Option(
      names = "--total-timeout",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description =
          "Time since the submission or the last rerun, after which it is killed and not retried.")
  @Nullable Duration totalTimeout;

  @Option(
      names = "--progress-timeout",
      paramLabel = "DURATION",
      converter = IsoDuration.class,
      description = "Time without progress after which it is STALLED; its run goes on.")
  @Nullable Duration progressTimeout;

  @Option(
      names = "--on-lost",
      paramLabel = "rerun|hold|fail",
      description = "What happens when a run is lost with its host (default: rerun).")
  @Nullable String onLost;

  @Option(
      names = "--args",
      paramLabel = "JSON|@FILE",
      description =
          "Arguments, an object, or a file with it, for a type whose jobs run in a handler; no COMMAND then.")
  @Nullable String args;

  @Option(
      names = "--wait",
      description =
          "Prints the job's output, the result of a handler as JSON at its end, and exits with its exit code.")
  boolean wait;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "Command to run, with its arguments.")
  List<String> command = List.of();

  @Override
  public Integer call() throws IOException {
    JsonNode job = post("/jobs", body());
    String id = job.path("id").asText();
    if (!wait) {
      print(json ? job.toString() : id);
      return 0;
    }
    JsonNode ended = new LogFollower(this, id, (run, text) -> write(text)).follow();
    if (args != null && ended.has("result")) {
      print(ended.path("result").toString());
    }
    if (ended.has("lacksResult")) {
      note("job %s succeeded, but %s".formatted(id, ended.path("lacksResult").asText()));
    }
    return exitCode(ended);
  }

  private Map<String, Object> body() throws IOException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", type);
    if (args != null) {
      body.put("args", json("--args", args));
    } else if (command.isEmpty()) {
      throw new ParameterException(
          spec().commandLine(), "what is to run is missing: give -- COMMAND ARG…, or --args JSON");
    }
    if (!command.isEmpty()) {
      body.put("command", command);
    }
    if (priority != null) {
      body.put("priority", priority);
    }
    if (nice != null) {
      body.put("nice", nice);
    }
    if (!labels.isEmpty()) {
      body.put("labels", labels);
    }
    if (!requires.isEmpty()) {
      body.put("requires", requires);
    }
    if (uniqueKey != null) {
      body.put("uniqueKey", uniqueKey);
    }
    if (!env.isEmpty()) {
      body.put("env", env);
    }
    if (runAt != null) {
      body.put("runAt", runAt);
    }
    retry.body(spec().commandLine()).ifPresent(policy -> body.put("retry", policy));
    Map<String, Duration> timeouts = timeouts();
    if (!timeouts.isEmpty()) {
      body.put("timeouts", timeouts);
    }
    if (onLost != null) {
      if (!ON_LOST.contains(onLost)) {
        throw new ParameterException(
            spec().commandLine(), "--on-lost is rerun, hold or fail, not \"%s\"".formatted(onLost));
      }
      body.put("onLost", onLost);
    }
    return body;
  }

  private Map<String, Duration> timeouts() {
    Map<String, Duration> timeouts = new LinkedHashMap<>();
    IsoArguments.putIfGiven(timeouts, "queue", queueTimeout);
    IsoArguments.putIfGiven(timeouts, "run", runTimeout);
    IsoArguments.putIfGiven(timeouts, "total", totalTimeout);
    IsoArguments.putIfGiven(timeouts, "progress", progressTimeout);
    return timeouts;
  }

  private int exitCode(JsonNode job) {
    JsonNode runs = job.path("runs");
    JsonNode code = runs.size() == 0 ? runs : runs.get(runs.size() - 1).path("exitCode");
    if (job.path("state").asText().equals("SUCCEEDED")) {
      return 0;
    }
    note(
        "job %s is %s: %s"
            .formatted(
                job.path("id").asText(),
                job.path("state").asText(),
                job.path("error").asText("it did not succeed")));
    return code.isInt() && code.asInt() != 0 ? code.asInt() : 1;
  }
}
