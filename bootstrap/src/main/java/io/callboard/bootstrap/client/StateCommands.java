package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The commands on states of persistent actors. */
final class StateCommands {
  private StateCommands() {}

  /** The list of actors, with the commands on what it lists. */
  static CommandLine all() {
    CommandLine list =
        new CommandLine(
            new ListCommand(
                "/actors",
                List.of("path", "state", "durable", "zone", "queued", "handled", "restarts")));
    list.getCommandSpec()
        .usageMessage()
        .description("Prints the actors that run on the node as a table.");
    return list.addSubcommand("refold", new Refold()).addSubcommand("restore", new Restore());
  }

  private static String encoded(String path) {
    return "/actors" + (path.startsWith("/") ? "" : "/") + path;
  }

  /** Makes states again of all events. */
  @Command(
      description =
          "Makes the state of a persistent actor again of all its events, from its journal or the archive, after its class was mended; or those of all that the node runs within a path.")
  static final class Refold extends Remote {
    private static final int MOST = 1_000;

    @Parameters(arity = "0..1", paramLabel = "PATH", description = "The actor.")
    @Nullable String path;

    @Option(
        names = "--within",
        paramLabel = "PATH",
        description = "All persistent actors at or below it, / for all of the node.")
    @Nullable String within;

    @Option(names = "--why", paramLabel = "TEXT", description = "Is written with it.")
    String why = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      String one = path;
      String prefix = within;
      if ((one == null) == (prefix == null)) {
        throw new ParameterException(
            spec().commandLine(), "name the PATH of one actor, or --within PATH");
      } else if (one != null) {
        JsonNode answer = post(encoded(one) + "/refold", Map.of("why", why));
        print(json ? answer.toString() : "%s is made again of all its events".formatted(one));
        return 0;
      }
      return many(String.valueOf(prefix));
    }

    private int many(String prefix) throws IOException, InterruptedException {
      JsonNode found =
          get(
              "/actors?state=RUNNING&limit=%d&prefix=%s"
                  .formatted(MOST, URLEncoder.encode(prefix, StandardCharsets.UTF_8)));
      int done = 0;
      int refused = 0;
      for (JsonNode row : found.path("items")) {
        String actor = row.path("path").asText();
        if (!row.path("durable").asBoolean()) {
          continue;
        }
        try {
          JsonNode unused = post(encoded(actor) + "/refold", Map.of("why", why));
          done++;
        } catch (IOException e) {
          String reason = String.valueOf(e.getMessage());
          if (!reason.contains("writes no events")) {
            refused++;
            print("%s: %s".formatted(actor, reason));
          }
        }
      }
      print("%d are made again of all their events, %d are not".formatted(done, refused));
      if (found.path("truncated").asBoolean()) {
        print("there are more than %d: name a longer path".formatted(MOST));
      }
      return refused == 0 && !found.path("truncated").asBoolean() ? 0 : 1;
    }
  }

  /** Sets one back. */
  @Command(
      description =
          "Sets a persistent actor back to what it was after an earlier event; events stay, and that it was restored is one more.")
  static final class Restore extends Remote {
    @Parameters(index = "0", paramLabel = "PATH", description = "The actor.")
    String path = "";

    @Parameters(
        index = "1",
        paramLabel = "EVENT",
        description = "The number of its last event that counts; 0 for none.")
    long event;

    @Option(names = "--why", paramLabel = "TEXT", description = "Is written with it.")
    String why = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode answer = post(encoded(path) + "/restore", Map.of("event", event, "why", why));
      print(json ? answer.toString() : "%s is as after its event %d".formatted(path, event));
      return 0;
    }
  }
}
