package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Command that makes a node act on one thing, and prints what has become of that. */
@Command
final class ActionCommand extends ClientCommand {
  /** Option that names the node on which a thing is. */
  static final String ON_NODE = "--node";

  static final String ON_NODE_HELP =
      "Name of the node on which it is, if that is not the one that is asked.";

  private final Target target;
  private final String action;

  /**
   * Kind of thing that is acted on.
   *
   * @param label what stands for it in the help text
   * @param description its help text
   * @param resource its path below the API's
   * @param outcome what has become of it, for people
   * @param onNode whether it may be on another node than the one that is asked
   */
  record Target(
      String label, String description, Resource resource, Outcome outcome, boolean onNode) {
    /** Creates the kind of a thing of the cell. */
    Target(String label, String description, Resource resource, Outcome outcome) {
      this(label, description, resource, outcome, false);
    }

    /** Returns a command that acts on such a thing. */
    CommandLine command(String action, String description) {
      CommandLine command = new CommandLine(new ActionCommand(this, action));
      command.getCommandSpec().usageMessage().description(description);
      command
          .getCommandSpec()
          .addPositional(
              PositionalParamSpec.builder()
                  .paramLabel(label)
                  .description(this.description)
                  .type(String.class)
                  .index("0")
                  .arity("1")
                  .build());
      if (onNode) {
        command
            .getCommandSpec()
            .addOption(
                OptionSpec.builder(ON_NODE)
                    .paramLabel("NAME")
                    .description(ON_NODE_HELP)
                    .type(String.class)
                    .build());
      }
      return command;
    }
  }

  /** Address of a thing. */
  interface Resource {
    /**
     * Returns the path.
     *
     * @param named as the user has named it
     * @param node may be asked what that means
     */
    String path(ClientCommand node, String named) throws IOException;
  }

  /** Words for what has become of a thing. */
  interface Outcome {
    /** Returns a line for people. */
    String words(String named, JsonNode answer);
  }

  private ActionCommand(Target target, String action) {
    this.target = target;
    this.action = action;
  }

  /** Returns the part of an address that names the node on which a thing is, if one is given. */
  static String on(@Nullable String node) {
    return node == null ? "" : "?node=" + encoded(node);
  }

  @Override
  public Integer call() throws IOException {
    String named = spec().positionalParameters().get(0).getValue();
    String node = target.onNode() ? spec().findOption(ON_NODE).getValue() : null;
    JsonNode answer = post(target.resource().path(this, named) + "/" + action + on(node), null);
    print(json ? answer.toString() : target.outcome().words(named, answer));
    return 0;
  }
}
