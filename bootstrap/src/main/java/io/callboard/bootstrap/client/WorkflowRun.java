package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Command that starts an instance of a workflow. */
@Command(
    description =
        "Starts an instance of a workflow and prints its id. A FILE is stored as a definition first.")
final class WorkflowRun extends ClientCommand {
  private static final long LEAST_PAUSE_MS = 100;
  private static final long MOST_PAUSE_MS = 1_000;

  @Parameters(
      paramLabel = "NAME|FILE",
      description =
          "Name of a definition, or a file with one: it ends with .yaml, .yml or .json, or has a slash.")
  String workflow = "";

  @Option(
      names = "--input",
      paramLabel = "JSON|@FILE",
      description = "Input of the instance, or a file with it (default: an empty object).")
  @Nullable String input;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "Priority from 0 to 9, higher runs first (default: 5).")
  @Nullable Integer priority;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Unique key: an instance that holds it and has not ended is the answer.")
  @Nullable String key;

  @Option(names = "--label", paramLabel = "KEY=VALUE", description = "Label; may be repeated.")
  Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--wait",
      description =
          "Prints each step as it is settled, until the instance ends; exits with 1 unless it succeeded.")
  boolean wait;

  @Override
  public Integer call() throws IOException {
    Map<String, Object> body = new LinkedHashMap<>();
    if (DefinitionFile.isMeant(workflow)) {
      DefinitionFile file = DefinitionFile.read(workflow);
      Optional<JsonNode> stored = DefinitionCommands.send(this, file, "");
      if (stored.isEmpty()) {
        return 1;
      }
      body.put("definition", stored.get().path("name").asText());
      body.put("version", stored.get().path("version").asText());
    } else {
      body.put("definition", workflow);
    }
    if (input != null) {
      body.put("input", json("--input", input));
    }
    if (priority != null) {
      body.put("priority", priority);
    }
    if (key != null) {
      body.put("uniqueKey", key);
    }
    if (!labels.isEmpty()) {
      body.put("labels", labels);
    }
    JsonNode instance = post("/workflows", body);
    if (!wait) {
      print(json ? instance.toString() : instance.path("id").asText());
      return 0;
    }
    return follow(instance);
  }

  /** Prints what happens to the steps until the instance ends. */
  private int follow(JsonNode started) throws IOException {
    String id = started.path("id").asText();
    if (!json) {
      print(id);
    }
    Map<String, String> known = new HashMap<>();
    JsonNode instance = started;
    long pause = LEAST_PAUSE_MS;
    while (true) {
      boolean news = settled(instance, known);
      if (WorkflowView.isEnded(instance)) {
        break;
      }
      pause = news ? LEAST_PAUSE_MS : Math.min(2 * pause, MOST_PAUSE_MS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
      instance = get("/workflows/" + encoded(id));
    }
    String reason = instance.path("reason").asText();
    print(
        json
            ? instance.toString()
            : "%s is %s%s"
                .formatted(
                    id, instance.path("state").asText(), reason.isEmpty() ? "" : ": " + reason));
    return WorkflowView.isSuccess(instance) ? 0 : 1;
  }

  /** Prints the steps that were settled since the last look; returns whether there were any. */
  private boolean settled(JsonNode instance, Map<String, String> known) {
    boolean news = false;
    for (Map.Entry<String, JsonNode> each : instance.path("steps").properties()) {
      String state = each.getValue().path("state").asText();
      boolean changed = !state.equals(known.put(each.getKey(), state));
      news |= changed;
      if (changed && WorkflowView.isSettled(each.getValue()) && !json) {
        String reason = each.getValue().path("reason").asText();
        String took = WorkflowView.took(each.getValue(), Instant.now());
        print(
            "  %s %s%s%s"
                .formatted(
                    each.getKey(),
                    state,
                    took.equals("-") ? "" : ", " + took,
                    reason.isEmpty() ? "" : ": " + reason));
      }
    }
    return news;
  }
}
