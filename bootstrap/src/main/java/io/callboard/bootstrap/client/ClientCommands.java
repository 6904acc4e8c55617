package io.callboard.bootstrap.client;

import java.util.List;
import picocli.CommandLine;

/** The commands that talk to a node. */
public final class ClientCommands {
  private ClientCommands() {}

  public static void addTo(CommandLine command) {
    command.addSubcommand("submit", new SubmitCommand());
    command.addSubcommand(
        "jobs",
        new ListCommand(
            "/jobs?limit=50", List.of("id", "type", "state", "priority", "createdAt", "command")));
    command.addSubcommand("job", new JobCommands.Show());
    command.addSubcommand("cancel", new JobCommands.Cancel());
    command.addSubcommand(
        "types", new ListCommand("/types", List.of("name", "runner", "limit", "paused")));
    command.addSubcommand("limit", new LimitCommand());
    command.addSubcommand(
        "hosts",
        new ListCommand("/hosts", List.of("name", "live", "slots", "used", "draining", "version")));
    command.addSubcommand(
        "roles", new ListCommand("/roles", List.of("name", "holder", "standby", "epoch", "since")));
    command.addSubcommand("actors", StateCommands.all());
    command.addSubcommand("deadletters", ParkedCommands.all());
  }
}
