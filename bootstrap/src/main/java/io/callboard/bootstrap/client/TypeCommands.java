package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.ActionCommand.Target;
import io.callboard.bootstrap.config.IsoDuration;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.TypePause;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Commands on one type of jobs. */
final class TypeCommands {
  private static final Target TYPE =
      new Target(
          "TYPE",
          "Name of the job type.",
          (node, type) -> "/types/" + ClientCommand.encoded(type),
          TypeCommands::text);

  private TypeCommands() {}

  private static String text(String type, JsonNode answer) {
    if (!answer.path("paused").asBoolean()) {
      return type + " is active";
    }
    JsonNode pause = answer.path("pause"); // a node of an earlier version has none
    return pause.isObject()
        ? type + " is paused " + Json.convert("the pause", pause, TypePause.class).text()
        : type + " is paused";
  }

  /** Returns the command that stops further runs of a type's jobs. */
  static CommandLine pause() {
    return TYPE.command(
        "pause",
        "Pauses a job type: no more of its jobs are started until callboard resume; those that run go on.");
  }

  /** Returns the command that undoes {@link #pause()}. */
  static CommandLine resume() {
    return TYPE.command("resume", "Resumes a paused job type: its queued jobs are started again.");
  }

  /** Command that sets how many jobs of a type run at once, and what else holds for them. */
  @Command(
      description =
          "Sets how many jobs of a type run at the same time, and what else is given; creates the type if it does not exist. How long ended jobs are kept is set as a whole: what is not given is then as the nodes' options say.")
  static final class Limit extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TYPE", description = "Name of the job type.")
    String type = "";

    @Parameters(
        index = "1",
        paramLabel = "N",
        description = "Jobs at the same time, over all hosts.")
    int limit;

    @Option(
        names = "--max-share",
        paramLabel = "SHARE",
        description =
            "Share of a host's slots that its runs take at most, such as 0.5; 1 for no such limit.")
    @Nullable Double maxShare;

    @Option(
        names = "--handler",
        paramLabel = "NAME",
        description = "Handler that runs its jobs, for a new type; without it they are processes.")
    @Nullable String handler;

    @Mixin RetryOptions retry = new RetryOptions();

    @Option(
        names = "--successes-kept",
        paramLabel = "DURATION",
        converter = IsoDuration.class,
        description = "How long jobs are kept that succeeded, such as P2D.")
    @Nullable Duration successesKept;

    @Option(
        names = "--failures-kept",
        paramLabel = "DURATION",
        converter = IsoDuration.class,
        description = "How long jobs are kept that ended otherwise.")
    @Nullable Duration failuresKept;

    @Option(
        names = "--files-kept",
        paramLabel = "DURATION",
        converter = IsoDuration.class,
        description = "How long hosts keep the directories of runs whose job has no record.")
    @Nullable Duration filesKept;

    @Option(
        names = "--logs-kept",
        paramLabel = "DURATION",
        converter = IsoDuration.class,
        description = "How long hosts keep the logs of runs that have ended.")
    @Nullable Duration logsKept;

    @Override
    public Integer call() throws IOException {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("limit", limit);
      if (handler != null) {
        body.put("handler", handler);
      }
      if (maxShare != null) {
        if (!(maxShare > 0 && maxShare <= 1)) {
          throw new ParameterException(
              spec().commandLine(),
              "--max-share is more than 0 and up to 1, such as 0.5, not %s".formatted(maxShare));
        }
        body.put("maxShare", maxShare);
      }
      retry.body(spec().commandLine()).ifPresent(policy -> body.put("retry", policy));
      Map<String, Duration> retention = retention();
      if (!retention.isEmpty()) {
        body.put("retention", retention);
      }
      JsonNode answer = put("/types/" + encoded(type), body);
      print(json ? answer.toString() : words(body, answer));
      return 0;
    }

    private Map<String, Duration> retention() {
      Map<String, Duration> retention = new LinkedHashMap<>();
      IsoArguments.putIfGiven(retention, "successes", successesKept);
      IsoArguments.putIfGiven(retention, "failures", failuresKept);
      IsoArguments.putIfGiven(retention, "files", filesKept);
      IsoArguments.putIfGiven(retention, "logs", logsKept);
      return retention;
    }

    /** Says of what was given what holds now. */
    private String words(Map<String, Object> given, JsonNode answer) {
      StringJoiner words = new StringJoiner(", ", type + ": ", "");
      words.add("at most %d at the same time".formatted(limit));
      if (given.containsKey("maxShare")) {
        words.add(answer.path("maxShare").asText("1") + " of a host's slots");
      }
      if (given.containsKey("retry")) {
        words.add("tried up to %s times".formatted(answer.at("/retry/attempts").asText()));
      }
      if (given.containsKey("retention")) {
        answer
            .path("retention")
            .properties()
            .forEach(each -> words.add(each.getKey() + " kept for " + each.getValue().asText()));
      }
      return words.toString();
    }
  }
}
