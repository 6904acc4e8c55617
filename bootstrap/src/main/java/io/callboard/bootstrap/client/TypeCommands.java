package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.ActionCommand.Target;
import io.callboard.codecs.Json;
import io.callboard.jobs.model.TypePause;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands on one type of jobs. */
final class TypeCommands {
  private static final Target TYPE =
      new Target(
          "TYPE",
          "Name of the job type.",
          (node, type) -> "/types/" + Remote.encoded(type),
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

  /** Command that sets how many jobs of a type run at once. */
  @Command(
      description =
          "Sets how many jobs of a type run at the same time; creates the type if it does not exist.")
  static final class Limit extends Remote {
    @Parameters(index = "0", paramLabel = "TYPE", description = "Name of the job type.")
    String type = "";

    @Parameters(
        index = "1",
        paramLabel = "N",
        description = "Jobs at the same time, over all hosts.")
    int limit;

    @Override
    public Integer call() throws IOException {
      JsonNode answer = put("/types/" + encoded(type), Map.of("runner", "process", "limit", limit));
      print(json ? answer.toString() : "%s: at most %d at the same time".formatted(type, limit));
      return 0;
    }
  }
}
