package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.NodeClient.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands on the limits of labels. */
final class LimitCommands {
  private LimitCommands() {}

  /** Returns the listing command, with the commands on one limit as subcommands. */
  static CommandLine all() {
    CommandLine list =
        ListCommand.of(
            "Lists the limits of labels: how many jobs with each may run at the same time, and how many slots they use now.",
            "/limits",
            List.of("label", "running", "used"),
            "No labels have limits at %s; set one: callboard limits set LABEL N");
    return list.addSubcommand("set", new Set()).addSubcommand("delete", new Delete());
  }

  private static String path(String label) {
    return "/limits/" + ClientCommand.encoded(label);
  }

  /** Command that sets the limit of a label. */
  @Command(description = "Sets how many jobs with a label run at the same time, over all types.")
  static final class Set extends ClientCommand {
    @Parameters(
        index = "0",
        paramLabel = "LABEL",
        description = "KEY=VALUE, or KEY for the jobs with any value of it.")
    String label = "";

    @Parameters(
        index = "1",
        paramLabel = "N",
        description = "Jobs at the same time, over all hosts.")
    int limit;

    @Override
    public Integer call() throws IOException {
      JsonNode answer = put(path(label), Map.of("running", limit));
      print(json ? answer.toString() : "%s: at most %d at the same time".formatted(label, limit));
      return 0;
    }
  }

  /** Command that removes the limit of a label. */
  @Command(description = "Removes the limit of a label.")
  static final class Delete extends ClientCommand {
    @Parameters(paramLabel = "LABEL", description = "KEY=VALUE, or KEY, as it was set.")
    String label = "";

    @Override
    public Integer call() throws IOException {
      Answer unused = answer("DELETE", path(label), null);
      print(json ? "{}" : "%s has no limit".formatted(label));
      return 0;
    }
  }
}
