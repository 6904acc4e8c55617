package io.callboard.bootstrap.client;

import io.callboard.bootstrap.client.ActionCommand.Target;
import picocli.CommandLine;

/** Commands on one host, which is a node by its name. */
final class HostCommands {
  private static final Target HOST =
      new Target(
          "HOST",
          "Name of the node, as callboard hosts lists it.",
          (node, host) -> "/hosts/" + ClientCommand.encoded(host),
          (host, answer) ->
              (answer.path("draining").asBoolean() ? "%s is draining" : "%s takes its share again")
                  .formatted(host));

  private HostCommands() {}

  /** Returns the command that moves work off a node. */
  static CommandLine drain() {
    return HOST.command(
        "drain",
        "Drains a node: it starts no more job runs, and its actors and roles move to other nodes; what no other node offers stays. The cell remembers it over restarts.");
  }

  /** Returns the command that undoes {@link #drain()}. */
  static CommandLine undrain() {
    return HOST.command("undrain", "Ends the drain of a node: it takes its share again.");
  }
}
