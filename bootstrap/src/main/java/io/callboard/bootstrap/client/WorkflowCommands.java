package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.callboard.bootstrap.client.ActionCommand.Target;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands on workflows. */
final class WorkflowCommands {
  private static final String ID = "Id of the instance, or a unique beginning of it.";

  private static final Target INSTANCE =
      new Target("ID", ID, WorkflowCommands::path, (id, instance) -> outcome(instance));

  private WorkflowCommands() {}

  /** Returns the command with all others as subcommands. */
  static CommandLine all() {
    return new CommandLine(new Group())
        .addSubcommand("run", new WorkflowRun())
        .addSubcommand("list", new WorkflowList())
        .addSubcommand("show", new Show())
        .addSubcommand("output", new WorkflowOutput())
        .addSubcommand("why", new Why())
        .addSubcommand("cancel", new Cancel())
        .addSubcommand(
            "retry",
            INSTANCE.command(
                "retry",
                "Runs again what failed, was cancelled, or was skipped because of that; what succeeded stays, unless it follows one of these or was undone."))
        .addSubcommand("rerun-from", new RerunFrom())
        .addSubcommand("definitions", new DefinitionCommands.Listing())
        .addSubcommand("stats", new BrakeCommands.Stats())
        .addSubcommand("brake", new BrakeCommands.Brake())
        .addSubcommand("put", new DefinitionCommands.Put())
        .addSubcommand("check", new DefinitionCommands.Check())
        .addSubcommand("workers", new Workers());
  }

  /** Command that only has subcommands. */
  @Command(description = "Runs workflows and shows them; see its subcommands.")
  private static final class Group implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Shows this help.")
    boolean help;

    @Override
    public void run() {
      if (spec != null) {
        spec.commandLine().usage(spec.commandLine().getOut());
      }
    }
  }

  private static String path(ClientCommand node, String id) throws IOException {
    return "/workflows/" + ClientCommand.encoded(ShortIds.instance(node, id));
  }

  /** Command that shows an instance. */
  @Command(
      description =
          "Shows an instance: its definition, its state, its steps, and what it waits for.")
  private static final class Show extends ClientCommand {
    @Parameters(paramLabel = "ID", description = ID)
    String id = "";

    @Override
    public Integer call() throws IOException {
      String path = path(this, id);
      JsonNode instance = get(path);
      if (json) {
        print(instance.toString());
        return 0;
      }
      JsonNode why =
          WorkflowView.isEnded(instance) ? MissingNode.getInstance() : get(path + "/why");
      new WorkflowView(instance, why).lines(Instant.now()).forEach(this::print);
      return 0;
    }
  }

  /** Command that explains an instance. */
  @Command(description = "Explains why an instance is where it is, with the reason of each step.")
  private static final class Why extends ClientCommand {
    @Parameters(paramLabel = "ID", description = ID)
    String id = "";

    @Override
    public Integer call() throws IOException {
      JsonNode why = get(path(this, id) + "/why");
      if (json) {
        print(why.toString());
        return 0;
      }
      print(why.path("state").asText() + ": " + why.path("summary").asText());
      for (Map.Entry<String, JsonNode> each : why.path("steps").properties()) {
        String until = each.getValue().path("until").asText();
        print(
            "%s: %s%s"
                .formatted(
                    each.getKey(),
                    each.getValue().path("text").asText(),
                    until.isEmpty() ? "" : ", " + Ages.of(until, Instant.now())));
      }
      if (why.has("more")) {
        print("and %,d more steps that are not settled".formatted(why.path("more").asInt()));
      }
      return 0;
    }
  }

  private static String outcome(JsonNode instance) {
    return "%s is %s".formatted(instance.path("id").asText(), instance.path("state").asText());
  }

  /** Command that cancels an instance. */
  @Command(
      description =
          "Cancels an instance; its finally steps and its compensation still run, unless that is forced.")
  private static final class Cancel extends ClientCommand {
    @Parameters(paramLabel = "ID", description = ID)
    String id = "";

    @Option(
        names = "--force",
        description =
            "Cancels finally steps and compensation, too, also of its sub-workflows, and while they run; what has not ended after a minute is given up.")
    boolean force;

    @Override
    public Integer call() throws IOException {
      JsonNode instance = post(path(this, id) + "/cancel", force ? Map.of("force", true) : null);
      print(json ? instance.toString() : outcome(instance));
      return 0;
    }
  }

  /** Command that runs a part of an instance again. */
  @Command(description = "Runs a step of an ended instance and all that follow it again.")
  private static final class RerunFrom extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = ID)
    String id = "";

    @Parameters(index = "1", paramLabel = "STEP", description = "Id of the step.")
    String step = "";

    @Override
    public Integer call() throws IOException {
      JsonNode instance = post(path(this, id) + "/rerun-from", Map.of("step", step));
      print(json ? instance.toString() : outcome(instance));
      return 0;
    }
  }

  /** Command that lists workers and queues. */
  @Command(description = "Lists the workers that run steps, and what waits for them.")
  private static final class Workers extends ClientCommand {
    @Override
    public Integer call() throws IOException {
      JsonNode answer = get("/workers");
      if (json) {
        print(answer.toString());
        return 0;
      }
      if (answer.path("workers").isEmpty()) {
        print("No workers at %s: no node of the cell offers steps".formatted(url()));
      } else {
        workers(answer.path("workers")).lines().forEach(this::print);
      }
      if (!answer.path("queues").isEmpty()) {
        print("");
        queues(answer.path("queues")).lines().forEach(this::print);
      }
      return 0;
    }

    private static Table workers(JsonNode rows) {
      Table table = new Table(List.of("node", "slots", "running", "draining", "types"));
      for (JsonNode row : rows) {
        int running = 0;
        for (JsonNode each : row.path("running")) {
          running += each.asInt();
        }
        table.add(
            List.of(
                Table.text(row.path("node")),
                Table.text(row.path("slots")),
                String.valueOf(running),
                Table.text(row.path("draining")),
                Table.text(row.path("types"))));
      }
      return table;
    }

    private static Table queues(JsonNode rows) {
      Table table = new Table(List.of("definition", "type", "waiting", "running", "why"));
      for (JsonNode row : rows) {
        table.add(
            List.of(
                Table.text(row.path("definition")),
                Table.text(row.path("type")),
                Table.text(row.path("waiting")),
                Table.text(row.path("running")),
                Table.text(row.path("why"))));
      }
      return table;
    }
  }
}
