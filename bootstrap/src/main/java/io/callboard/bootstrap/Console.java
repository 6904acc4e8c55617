package io.callboard.bootstrap;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mixin of every command: the command line from which it was started, and its help. */
final class Console {
  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  boolean help;

  CommandLine command() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec.commandLine();
  }

  void print(Object line) {
    command().getOut().println(line);
    command().getOut().flush();
  }
}
