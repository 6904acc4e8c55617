package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command that submits a command as a process job. */
@Command(
    description = "Submits a command as a job and prints the job's id.",
    customSynopsis = "callboard submit [--type T] [--priority N] [--wait] -- COMMAND ARG…")
final class SubmitCommand extends Remote {
  private static final Set<String> TERMINAL = Set.of("SUCCEEDED", "DEAD", "CANCELLED", "EXPIRED");
  private static final long LOOK_EVERY_MS = 200;

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

  @Option(names = "--wait", description = "Prints the job's output and exits with its exit code.")
  boolean wait;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "Command to run, with its arguments.")
  List<String> command = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", type);
    body.put("command", command);
    if (priority != null) {
      body.put("priority", priority);
    }
    JsonNode job = post("/jobs", body);
    String id = job.path("id").asText();
    if (!wait) {
      print(json ? job.toString() : id);
      return 0;
    }
    return follow(id);
  }

  /** Prints new log output until the job has ended; returns the exit code. */
  private int follow(String id) throws IOException, InterruptedException {
    String printed = "";
    int run = 0;
    while (true) {
      JsonNode job = get("/jobs/" + encoded(id));
      int runs = job.path("runs").size();
      int current = runs == 0 ? 0 : job.path("runs").get(runs - 1).path("runId").asInt();
      if (current != run) {
        run = current;
        printed = "";
      }
      if (run > 0) {
        String text = text("/jobs/" + encoded(id) + "/log?run=" + run);
        write(text.startsWith(printed) ? text.substring(printed.length()) : text);
        printed = text;
      }
      if (TERMINAL.contains(job.path("state").asText())) {
        return exitCode(job);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_EVERY_MS));
    }
  }

  private int exitCode(JsonNode job) {
    JsonNode runs = job.path("runs");
    JsonNode code = runs.size() == 0 ? runs : runs.get(runs.size() - 1).path("exitCode");
    if (job.path("state").asText().equals("SUCCEEDED")) {
      return 0;
    }
    if (spec != null) {
      spec.commandLine()
          .getErr()
          .println(
              "callboard: job %s is %s: %s"
                  .formatted(
                      job.path("id").asText(),
                      job.path("state").asText(),
                      job.path("error").asText("it did not succeed")));
    }
    return code.isInt() && code.asInt() != 0 ? code.asInt() : 1;
  }
}
