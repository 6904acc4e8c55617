package io.callboard.examples.commands;

import io.callboard.bootstrap.process.Console;
import io.callboard.bootstrap.process.NodeLog;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that runs the example of bank accounts. */
@Command(
    name = "account",
    description =
        "Moves money at random between ten durable bank accounts and checks that the sum stays the same. Kill it, and run it again: it goes on with the same accounts.")
final class AccountCommand implements Callable<Integer> {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description = "Data directory of the example (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    NodeLog.configure(data, "text"); // before the first logger is created
    AccountProcess.run(data, console::print);
    return 0;
  }
}
