package io.callboard.examples.commands;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.codecs.internal.text.Suggestions;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Command that lists the bundled examples; each is a subcommand of it. */
@Command(description = "Lists the bundled examples; with a name, runs one of them.")
public final class DemoCommand implements Callable<Integer> {
  /** Takes a name that is none of the subcommands. */
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the example to run.")
  @Nullable String name;

  @Mixin Console console = new Console();

  /** Returns the command with all examples. */
  public static CommandLine all() {
    return new CommandLine(new DemoCommand())
        .addSubcommand("account", new AccountCommand())
        .addSubcommand("articles", new ArticlesCommand())
        .addSubcommand("failover", new FailoverCommand())
        .addSubcommand("scatter-gather", new ScatterGatherCommand())
        .addSubcommand("workflow", new DocumentsCommand());
  }

  @Override
  public Integer call() {
    Map<String, CommandLine> examples = console.command().getSubcommands();
    if (name != null) {
      throw StartupFailure.usage(
          "there is no example \"%s\"%s"
              .formatted(name, Suggestions.hint(name, examples.keySet())));
    }
    examples.forEach(
        (each, command) -> console.print("%-15s %s".formatted(each, firstSentence(command))));
    console.print("");
    console.print("Run one: callboard demo NAME; its options: callboard demo NAME --help");
    return 0;
  }

  private static String firstSentence(CommandLine command) {
    String description = String.join(" ", command.getCommandSpec().usageMessage().description());
    int end = description.indexOf(". ");
    return end < 0 ? description : description.substring(0, end + 1);
  }
}
