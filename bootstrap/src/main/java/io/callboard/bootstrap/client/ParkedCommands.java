package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The commands on parked messages: those that kept failing. */
final class ParkedCommands {
  private ParkedCommands() {}

  /** The list, with the commands on what it lists. */
  static CommandLine all() {
    CommandLine list =
        new CommandLine(
            new ListCommand("/deadletters", List.of("id", "actor", "attempts", "cause")));
    list.getCommandSpec()
        .usageMessage()
        .description("Prints the parked messages, those that kept failing, as a table.");
    return list.addSubcommand("replay", new Replay()).addSubcommand("discard", new Discard());
  }

  private static String path(String id) {
    return "/deadletters/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Puts one message back, or many. */
  @Command(description = "Puts a parked message back into its mailbox, or all of them at a rate.")
  static final class Replay extends Remote {
    @Parameters(arity = "0..1", paramLabel = "ID", description = "As the list tells it.")
    @Nullable String id;

    @Option(
        names = "--body",
        paramLabel = "JSON",
        description =
            "What the message says instead; the original is printed if the node may show it, and"
                + " not kept.")
    @Nullable String body;

    @Option(names = "--all", description = "Replays every parked message, or those told below.")
    boolean all;

    @Option(
        names = "--rate",
        paramLabel = "N",
        defaultValue = "10",
        description = "Messages a second, with --all (default: ${DEFAULT-VALUE}).")
    double rate = 10;

    @Option(names = "--actor", paramLabel = "PATH", description = "Those of it and below it.")
    @Nullable String actor;

    @Option(names = "--type", paramLabel = "TYPE", description = "Messages of that type.")
    @Nullable String type;

    @Option(names = "--cause", paramLabel = "TEXT", description = "Those whose cause contains it.")
    @Nullable String cause;

    @Override
    public Integer call() throws IOException, InterruptedException {
      String one = id;
      boolean filtered = actor != null || type != null || cause != null;
      if (all == (one != null) || (all && body != null) || (!all && filtered)) {
        throw new ParameterException(
            spec().commandLine(),
            "name the ID of one message, with or without --body, or --all, with or without"
                + " --actor, --type and --cause");
      }
      if (one == null) {
        return many();
      }
      JsonNode answer = post(path(one) + "/replay", edited());
      print(json ? answer.toString() : told(one, answer.path("original")));
      return 0;
    }

    private static String told(String one, JsonNode original) {
      if (original.isMissingNode()) {
        return "%s is in its mailbox again".formatted(one);
      }
      return original.has("body")
          ? "%s is in its mailbox again, with another body; it was %s"
              .formatted(one, original.get("body"))
          : "%s is in its mailbox again, with another body; what it was is not shown"
              .formatted(one);
    }

    private @Nullable Object edited() {
      return body == null
          ? null
          : Map.of("body", Json.parse("--body", body.getBytes(StandardCharsets.UTF_8)));
    }

    private Integer many() throws IOException, InterruptedException {
      Map<String, String> filter = new LinkedHashMap<>();
      put(filter, "actor", actor);
      put(filter, "type", type);
      put(filter, "cause", cause);
      JsonNode answer =
          post("/deadletters/replay", Map.of("filter", filter, "ratePerSecond", rate));
      print(
          json
              ? answer.toString()
              : "%d messages go back into their mailboxes, at most %s a second"
                  .formatted(answer.path("matched").asInt(), rate));
      return 0;
    }

    private static void put(Map<String, String> filter, String name, @Nullable String value) {
      if (value != null) {
        filter.put(name, value);
      }
    }
  }

  /** Throws a message away. */
  @Command(description = "Throws a parked message away for good.")
  static final class Discard extends Remote {
    @Parameters(paramLabel = "ID", description = "As the list tells it.")
    String id = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode answer = post(path(id) + "/discard", null);
      print(json ? answer.toString() : "%s is gone".formatted(id));
      return 0;
    }
  }
}
