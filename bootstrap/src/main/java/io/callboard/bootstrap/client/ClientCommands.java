package io.callboard.bootstrap.client;

import java.util.List;
import picocli.CommandLine;

/** Client commands, each of which calls the REST API of a node. */
public final class ClientCommands {
  private ClientCommands() {}

  /** Adds the commands to the main command. */
  public static void addTo(CommandLine command) {
    command.addSubcommand("submit", new SubmitCommand());
    command.addSubcommand(
        "jobs",
        ListCommand.of(
            "Lists the newest jobs, 50 at most.",
            "/jobs?limit=50",
            List.of("id", "type", "state", "priority", "createdAt", "command")));
    command.addSubcommand("job", new JobCommands.Show());
    command.addSubcommand("cancel", new JobCommands.Cancel());
    command.addSubcommand(
        "types",
        ListCommand.of(
            "Lists the job types and their limits.",
            "/types",
            List.of("name", "runner", "limit", "paused")));
    command.addSubcommand("limit", new LimitCommand());
    command.addSubcommand(
        "hosts",
        ListCommand.of(
            "Lists the hosts that run jobs, with their slots.",
            "/hosts",
            List.of("name", "live", "slots", "used", "draining", "version")));
    command.addSubcommand(
        "roles",
        ListCommand.of(
            "Lists the roles with their holders and standbys.",
            "/roles",
            List.of("name", "holder", "standby", "epoch", "since")));
    command.addSubcommand("actors", StateCommands.all());
    command.addSubcommand("parked", ParkedCommands.all(), "deadletters");
  }
}
