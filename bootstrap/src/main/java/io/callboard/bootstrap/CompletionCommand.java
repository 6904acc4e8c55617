package io.callboard.bootstrap;

import io.callboard.bootstrap.process.Console;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Command that prints the completion of commands and options for a shell. */
@Command(
    description =
        "Prints a script that makes bash or zsh complete commands and options: source <(callboard completion).")
final class CompletionCommand implements Callable<Integer> {
  @Mixin Console console = new Console();

  @Override
  public Integer call() {
    console.print(AutoComplete.bash("callboard", console.command().getParent()));
    return 0;
  }
}
