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

/** Commands on the states of persistent actors. */
final class StateCommands {
  private StateCommands() {}

  /** The listing command, with the commands on listed actors as subcommands. */
  static CommandLine all() {
    CommandLine list =
        ListCommand.of(
            "Lists the actors that run on the node.",
            "/actors",
            List.of("path", "state", "durable", "zone", "queued", "handled", "restarts"));
    return list.addSubcommand("refold", new Refold()).addSubcommand("restore", new Restore());
  }

  private static String encoded(String path) {
    return "/actors" + (path.startsWith("/") ? "" : "/") + path;
  }

  /** Rebuilds states from all events. */
  @Command(
      description =
          "Rebuilds the state of a persistent actor from all its events, in its journal or the archive, after a fault in its class was fixed; with --within, the states of all persistent actors that the node runs at or below a path.")
  static final class Refold extends Remote {
    private static final int MOST = 1_000;

    /** HTTP status of the answer about an actor that has no events to rebuild its state from. */
    private static final int NO_EVENTS = 422;

    @Parameters(arity = "0..1", paramLabel = "PATH", description = "Path of the actor.")
    @Nullable String path;

    @Option(
        names = "--within",
        paramLabel = "PATH",
        description = "All persistent actors at or below this path; / for all of the node.")
    @Nullable String within;

    @Option(names = "--why", paramLabel = "TEXT", description = "Reason, recorded with the change.")
    String why = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      String one = path;
      String prefix = within;
      if ((one == null) == (prefix == null)) {
        throw new ParameterException(
            spec().commandLine(), "give the PATH of one actor, or --within PATH");
      } else if (one != null) {
        JsonNode answer = post(encoded(one) + "/refold", Map.of("why", why));
        print(
            json
                ? answer.toString()
                : "the state of %s was rebuilt from all its events".formatted(one));
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
          if (!(e instanceof RefusedException refusal && refusal.status() == NO_EVENTS)) {
            refused++;
            print("%s: %s".formatted(actor, e.getMessage()));
          }
        }
      }
      print("states rebuilt from all events: %d, refused: %d".formatted(done, refused));
      if (found.path("truncated").asBoolean()) {
        print(
            "there are more than %d actors, the rest was not tried: give a longer path to --within"
                .formatted(MOST));
      }
      return refused == 0 && !found.path("truncated").asBoolean() ? 0 : 1;
    }
  }

  /** Restores the state of one actor to an earlier event. */
  @Command(
      description =
          "Restores the state of a persistent actor to what it was after an earlier event. All events stay; the restoration is recorded as one more event.")
  static final class Restore extends Remote {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the actor.")
    String path = "";

    @Parameters(
        index = "1",
        paramLabel = "EVENT",
        description = "Number of the last event that is to count; 0 for none.")
    long event;

    @Option(names = "--why", paramLabel = "TEXT", description = "Reason, recorded with the change.")
    String why = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode answer = post(encoded(path) + "/restore", Map.of("event", event, "why", why));
      print(
          json
              ? answer.toString()
              : "the state of %s was restored to what it was after event %d"
                  .formatted(path, event));
      return 0;
    }
  }
}
