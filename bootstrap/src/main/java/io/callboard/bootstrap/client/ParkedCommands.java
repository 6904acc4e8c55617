package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.NodeClient.RefusedException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import java.io.IOException;
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

/** Commands on parked messages, whose handling kept failing. */
final class ParkedCommands {
  private ParkedCommands() {}

  /** Returns the listing command, with the commands on listed messages as subcommands. */
  static CommandLine all() {
    CommandLine list =
        ListCommand.of(
            "Lists parked messages: those whose handling kept failing.",
            "/deadletters",
            List.of("id", "actor", "attempts", "cause"),
            "No messages are parked at %s");
    return list.addSubcommand("replay", new Replay()).addSubcommand("discard", new Discard());
  }

  /**
   * Does something to one message.
   *
   * @param given its id, or a unique beginning of it
   */
  private static JsonNode act(
      ClientCommand node, String given, String action, @Nullable Object body) throws IOException {
    try {
      return node.post(path(given, action), body);
    } catch (RefusedException e) {
      if (!e.code().equals(Kind.NOT_FOUND.name())) {
        throw e;
      }
      return node.post(path(ShortIds.parked(node, given), action), body);
    }
  }

  private static String path(String id, String action) {
    return "/deadletters/" + ClientCommand.encoded(id) + "/" + action;
  }

  /** Command that puts one parked message, or many, back into their mailboxes. */
  @Command(
      description =
          "Replays a parked message: puts it back into its mailbox; with --all, replays many at a limited rate.")
  static final class Replay extends ClientCommand {
    @Parameters(
        arity = "0..1",
        paramLabel = "ID",
        description =
            "Id of the message, as callboard parked prints it, or a unique beginning of it.")
    @Nullable String id;

    @Option(
        names = "--body",
        paramLabel = "JSON",
        description =
            "Replaces the body of the message. The original is printed if the node may show it, and is not kept.")
    @Nullable String body;

    @Option(
        names = "--all",
        description =
            "Replays all parked messages, or those selected by --actor, --type and --cause.")
    boolean all;

    @Option(
        names = "--rate",
        paramLabel = "N",
        defaultValue = "10",
        description = "Messages per second with --all (default: ${DEFAULT-VALUE}).")
    double rate = 10;

    @Option(
        names = "--actor",
        paramLabel = "PATH",
        description = "Only messages of this actor and of actors below it.")
    @Nullable String actor;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only messages of this type.")
    @Nullable String type;

    @Option(
        names = "--cause",
        paramLabel = "TEXT",
        description = "Only messages whose cause contains this text.")
    @Nullable String cause;

    @Override
    public Integer call() throws IOException {
      String one = id;
      boolean filtered = actor != null || type != null || cause != null;
      if (all == (one != null) || (all && body != null) || (!all && filtered)) {
        throw new ParameterException(
            spec().commandLine(),
            "give the ID of one message, with or without --body, or --all, with or without --actor, --type and --cause");
      }
      if (one == null) {
        return many();
      }
      JsonNode answer = act(this, one, "replay", edited());
      print(
          json
              ? answer.toString()
              : report(answer.path("id").asText(one), answer.path("original")));
      return 0;
    }

    private static String report(String one, JsonNode original) {
      if (original.isMissingNode()) {
        return "%s was put back into its mailbox".formatted(one);
      }
      return original.has("body")
          ? "%s was put back into its mailbox with the new body; the original was %s"
              .formatted(one, original.get("body"))
          : "%s was put back into its mailbox with the new body; the original is not shown"
              .formatted(one);
    }

    private @Nullable Object edited() {
      return body == null
          ? null
          : Map.of("body", Json.parse("--body", body.getBytes(StandardCharsets.UTF_8)));
    }

    private Integer many() throws IOException {
      Map<String, String> filter = new LinkedHashMap<>();
      put(filter, "actor", actor);
      put(filter, "type", type);
      put(filter, "cause", cause);
      JsonNode answer =
          post("/deadletters/replay", Map.of("filter", filter, "ratePerSecond", rate));
      print(
          json
              ? answer.toString()
              : "%d messages are being put back into their mailboxes, at most %s per second"
                  .formatted(answer.path("matched").asInt(), rate));
      return 0;
    }

    private static void put(Map<String, String> filter, String name, @Nullable String value) {
      if (value != null) {
        filter.put(name, value);
      }
    }
  }

  /** Command that discards a parked message. */
  @Command(description = "Discards a parked message; it cannot be restored.")
  static final class Discard extends ClientCommand {
    @Parameters(
        paramLabel = "ID",
        description =
            "Id of the message, as callboard parked prints it, or a unique beginning of it.")
    String id = "";

    @Override
    public Integer call() throws IOException {
      JsonNode answer = act(this, id, "discard", null);
      print(json ? answer.toString() : "%s was discarded".formatted(answer.path("id").asText(id)));
      return 0;
    }
  }
}
