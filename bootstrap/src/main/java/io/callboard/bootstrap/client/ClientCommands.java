package io.callboard.bootstrap.client;

import java.util.List;
import picocli.CommandLine;

/** Client commands, each of which calls the REST API of a node. */
public final class ClientCommands {
  private ClientCommands() {}

  /** Adds the commands to the main command. */
  public static void addTo(CommandLine command) {
    command.addSubcommand("submit", new SubmitCommand());
    jobs(command);
    command.addSubcommand(
        "types",
        ListCommand.of(
            "Lists the job types: how many of their jobs run at the same time, and whether they are paused.",
            "/types",
            List.of("name", "runner", "limit", "paused"),
            "No job types at %s; create one: callboard limit TYPE N"));
    command.addSubcommand("limit", new TypeCommands.Limit());
    command.addSubcommand("limits", LimitCommands.all());
    command.addSubcommand("pause", TypeCommands.pause());
    command.addSubcommand("resume", TypeCommands.resume());
    command.addSubcommand(
        "hosts",
        ListCommand.of(
            "Lists the nodes that run jobs: whether they are live or draining, their slots, how many are in use, and their version.",
            "/hosts",
            List.of("name", "live", "draining", "slots", "used", "version"),
            "No hosts at %s have reported yet; try again in some seconds"));
    command.addSubcommand("drain", HostCommands.drain());
    command.addSubcommand("undrain", HostCommands.undrain());
    command.addSubcommand(
        "roles",
        ListCommand.of(
            "Lists the roles: the node that holds each, since when, and its standby.",
            "/roles",
            List.of("name", "holder", "standby", "epoch", "since"),
            "No roles at %s: no node of the cell offers one"));
    command.addSubcommand("workflow", WorkflowCommands.all());
    SourceCommands.addTo(command);
    AttentionCommands.addTo(command);
    command.addSubcommand("actors", ActorCommands.all());
    command.addSubcommand("parked", ParkedCommands.all(), "deadletters");
  }

  /** Returns the option that names a node, after a space; empty for the usual address. */
  public static String urlOption(String url) {
    String address = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    return address.equals(ClientCommand.USUAL_URL) ? "" : " --url " + address;
  }

  private static void jobs(CommandLine command) {
    command.addSubcommand("jobs", new JobsCommand());
    command.addSubcommand("job", new JobCommands.Show());
    command.addSubcommand("why", new JobCommands.Why());
    command.addSubcommand("logs", new LogsCommand());
    command.addSubcommand(
        "cancel",
        JobCommands.action("cancel", "Cancels a job; its process gets SIGTERM, then SIGKILL."));
    command.addSubcommand(
        "hold",
        JobCommands.action(
            "hold", "Holds a waiting job: it does not run until callboard release."));
    command.addSubcommand(
        "release", JobCommands.action("release", "Releases a held job: it runs when it is due."));
    command.addSubcommand(
        "rerun",
        JobCommands.action("rerun", "Runs a job that has ended again, as a new run of it."));
    command.addSubcommand("delete", new JobCommands.Delete());
  }
}
