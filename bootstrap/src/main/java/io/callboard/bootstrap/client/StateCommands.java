package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import java.io.IOException;
import java.util.ArrayList;
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

  /** Adds the commands to that on actors. */
  static CommandLine addTo(CommandLine actors) {
    return actors.addSubcommand("refold", new Refold()).addSubcommand("restore", new Restore());
  }

  /** Command that rebuilds states from all events. */
  @Command(
      description =
          "Rebuilds the state of a persistent actor from all its events, in its journal or the archive, after a fault in its class was fixed; with --within, the states of all persistent actors that the node runs at or below a path. Exits with 1 if no state was rebuilt, or not all that could be.")
  static final class Refold extends ClientCommand {
    private static final int MOST = 1_000;

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
    public Integer call() throws IOException {
      String one = path;
      String prefix = within;
      if ((one == null) == (prefix == null)) {
        throw new ParameterException(
            spec().commandLine(), "give the PATH of one actor, or --within PATH");
      } else if (one != null) {
        JsonNode answer = post(ActorCommands.resource(one) + "/refold", Map.of("why", why));
        print(
            json
                ? answer.toString()
                : "the state of %s was rebuilt from all its events".formatted(one));
        return 0;
      }
      return many(String.valueOf(prefix));
    }

    private int many(String prefix) throws IOException {
      JsonNode found =
          get("/actors?state=RUNNING&limit=%d&prefix=%s".formatted(MOST, encoded(prefix)));
      List<String> actors = new ArrayList<>();
      for (JsonNode row : found.path("items")) {
        if (row.path("durable").asBoolean()) {
          actors.add(row.path("path").asText());
        }
      }
      Outcome outcome = new Outcome(prefix, actors.size(), found.path("truncated").asBoolean());
      for (String actor : actors) {
        try {
          JsonNode unused = post(ActorCommands.resource(actor) + "/refold", Map.of("why", why));
          outcome.rebuilt++;
        } catch (NodeClient.RefusedException e) {
          if (e.code().equals(Kind.INVALID.name())) {
            throw e; // it is the request that is wrong, for every actor
          }
          outcome.note(actor, e);
        }
      }
      print(json ? outcome.json().toString() : outcome.text());
      return outcome.isWhole() ? 0 : 1;
    }
  }

  /** Outcome of a rebuild of many states. */
  private static final class Outcome {
    private final String prefix;
    private final int found;
    private final boolean truncated;
    private final ArrayNode refused = JsonNodeFactory.instance.arrayNode();
    private int rebuilt;
    private int withoutEvents;

    /**
     * @param found durable actors
     * @param truncated whether there are more, which were not tried
     */
    Outcome(String prefix, int found, boolean truncated) {
      this.prefix = prefix;
      this.found = found;
      this.truncated = truncated;
    }

    void note(String actor, NodeClient.RefusedException refusal) {
      if (refusal.code().equals(Kind.NO_EVENTS.name())) {
        withoutEvents++;
      } else {
        refused.addObject().put("path", actor).put("detail", refusal.getMessage());
      }
    }

    /** Whether states were rebuilt, and all that could be. */
    boolean isWhole() {
      return rebuilt > 0 && refused.isEmpty() && !truncated;
    }

    ObjectNode json() {
      ObjectNode json =
          JsonNodeFactory.instance
              .objectNode()
              .put("found", found)
              .put("rebuilt", rebuilt)
              .put("withoutEvents", withoutEvents);
      json.set("refused", refused);
      return json.put("truncated", truncated);
    }

    String text() {
      if (found == 0) {
        return "0 durable actors run on the node at or below %s: no state was rebuilt"
            .formatted(prefix);
      }
      List<String> lines = new ArrayList<>();
      refused.forEach(
          each -> lines.add(each.path("path").asText() + ": " + each.path("detail").asText()));
      lines.add(
          "states rebuilt from all events: %d, actors without events: %d, refused: %d"
              .formatted(rebuilt, withoutEvents, refused.size()));
      if (truncated) {
        lines.add(
            "there are more than %d actors, the rest was not tried: give a longer path to --within"
                .formatted(Refold.MOST));
      }
      return String.join(System.lineSeparator(), lines);
    }
  }

  /** Command that restores the state of one actor to an earlier event. */
  @Command(
      description =
          "Restores the state of a persistent actor to what it was after an earlier event. All events stay; the restoration is recorded as one more event.")
  static final class Restore extends ClientCommand {
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
    public Integer call() throws IOException {
      JsonNode answer =
          post(ActorCommands.resource(path) + "/restore", Map.of("event", event, "why", why));
      print(
          json
              ? answer.toString()
              : "the state of %s was restored to what it was after event %d"
                  .formatted(path, event));
      return 0;
    }
  }
}
