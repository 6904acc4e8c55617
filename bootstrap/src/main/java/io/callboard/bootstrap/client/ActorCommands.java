package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.ActionCommand.Target;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands on actors and failure zones. */
final class ActorCommands {
  private static final String PATH = "Path of the actor or failure zone.";

  private static final Target ACTOR_OR_ZONE =
      new Target(
          "PATH",
          PATH,
          (node, path) -> resource(path),
          (path, answer) -> "%s is %s".formatted(path, answer.path("state").asText("UNKNOWN")),
          true);

  private ActorCommands() {}

  /** Returns the listing command, with the commands on listed actors as subcommands. */
  static CommandLine all() {
    CommandLine list = new CommandLine(new Listing());
    list.addSubcommand("show", new Show());
    list.addSubcommand(
        "restart", ACTOR_OR_ZONE.command("restart", "Restarts an actor or failure zone now."));
    list.addSubcommand(
        "stop",
        ACTOR_OR_ZONE.command(
            "stop", "Stops an actor or failure zone until it is resumed; mail waits."));
    list.addSubcommand(
        "resume",
        ACTOR_OR_ZONE.command(
            "resume", "Starts an actor or failure zone that is stopped, rests or backs off."));
    return StateCommands.addTo(list);
  }

  /** Returns the resource of an actor; the segments of its path are encoded each by itself. */
  static String resource(String path) {
    String segments = path.startsWith("/") ? path.substring(1) : path;
    return Stream.of(segments.split("/", -1))
        .map(ClientCommand::encoded)
        .collect(Collectors.joining("/", "/actors/", ""));
  }

  /** Command that lists actors and failure zones. */
  @Command(
      description =
          "Lists the actors that run on the node, with their state, scheduling zone, queue and restarts, and its failure zones.")
  static final class Listing extends ClientCommand {
    private static final List<String> ACTOR =
        List.of("path", "state", "durable", "zone", "queued", "handled", "restarts");
    private static final List<String> ZONE =
        List.of("path", "state", "strategy", "children", "childRestarts", "lastFailure");

    @Override
    public Integer call() throws IOException {
      JsonNode answer = get("/actors");
      if (json) {
        print(answer.toString());
      } else if (answer.path("items").isEmpty() && answer.path("zones").isEmpty()) {
        print("No actors run on the node at %s".formatted(url()));
      } else {
        table("path", ACTOR, answer.path("items"));
        if (!answer.path("zones").isEmpty()) {
          print("");
          table("failure zone", ZONE, answer.path("zones"));
        }
      }
      return 0;
    }

    /** Returns the heading of a column; an actor's {@code zone} is not its failure zone. */
    private static String heading(String column) {
      return column.equals("zone") ? "scheduling zone" : column;
    }

    private void table(String first, List<String> columns, JsonNode rows) {
      Table table =
          new Table(
              columns.stream()
                  .map(column -> column.equals("path") ? first : heading(column))
                  .toList());
      for (JsonNode row : rows) {
        table.add(columns.stream().map(column -> Table.text(row.path(column))).toList());
      }
      table.lines().forEach(this::print);
    }
  }

  /** Command that shows an actor or failure zone. */
  @Command(
      description =
          "Shows an actor or failure zone: its state, what waits for it, and its last failures.")
  static final class Show extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = PATH)
    String path = "";

    @Option(
        names = ActionCommand.ON_NODE,
        paramLabel = "NAME",
        description = ActionCommand.ON_NODE_HELP)
    @Nullable String node;

    @Override
    public Integer call() throws IOException {
      JsonNode actor = get(resource(path) + ActionCommand.on(node));
      if (json) {
        print(actor.toString());
      } else {
        new ActorView(actor).lines(Instant.now()).forEach(this::print);
      }
      return 0;
    }
  }
}
