package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands on one host, which is a node by its name. */
final class HostCommands {
  private HostCommands() {}

  /** Returns the command that moves work off a node. */
  static CommandLine drain() {
    return action(
        "drain",
        "Drains a node: it starts no more job runs, and its actors and roles move to other nodes; what no other node offers stays. The cell remembers it over restarts.");
  }

  /** Returns the command that undoes {@link #drain()}. */
  static CommandLine undrain() {
    return action("undrain", "Ends the drain of a node: it takes its share again.");
  }

  private static CommandLine action(String action, String description) {
    CommandLine command = new CommandLine(new Action(action));
    command.getCommandSpec().usageMessage().description(description);
    return command;
  }

  /** Command that drains a node or ends that. */
  @Command
  private static final class Action extends Remote {
    private final String action;

    @Parameters(paramLabel = "HOST", description = "Name of the node, as callboard hosts lists it.")
    String host = "";

    Action(String action) {
      this.action = action;
    }

    @Override
    public Integer call() throws IOException {
      JsonNode answer = post("/hosts/" + encoded(host) + "/" + action, null);
      print(
          json
              ? answer.toString()
              : answer.path("draining").asBoolean()
                  ? "%s is draining".formatted(host)
                  : "%s takes its share again".formatted(host));
      return 0;
    }
  }
}
