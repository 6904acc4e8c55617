package io.callboard.bootstrap.process;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mixin of every command: the command line from which it was started, and its help. */
public final class Console {
  /** Name of the program's main class, which has these commands. */
  public static final String MAIN_CLASS = "io.callboard.bootstrap.Main";

  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  boolean help;

  public CommandLine command() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec.commandLine();
  }

  public void print(Object line) {
    command().getOut().println(line);
    command().getOut().flush();
  }
}
