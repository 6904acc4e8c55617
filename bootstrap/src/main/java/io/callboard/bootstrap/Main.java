package io.callboard.bootstrap;

import io.callboard.bootstrap.client.ClientCommands;
import io.callboard.bootstrap.config.ArgumentValues;
import io.callboard.bootstrap.config.ConfigSources;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.ShutdownHook;
import io.callboard.codecs.internal.text.Suggestions;
import io.callboard.examples.commands.DemoCommand;
import io.callboard.node.internal.data.DataDirectoryException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Main class of the program {@code callboard}, which runs a node if no subcommand is given. */
public final class Main {
  private Main() {}

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    NettyDefaults.set();
    int code = run(arguments);
    ShutdownHook.exit(code);
  }

  /** Runs a command and returns its exit code. */
  static int run(String[] arguments) {
    return run(commands(), arguments, System.getenv());
  }

  /** Runs one of {@link #commands()} in an environment and returns its exit code. */
  static int run(CommandLine command, String[] arguments, Map<String, String> environment) {
    ConfigSources configSources;
    try {
      configSources = ConfigSources.of(arguments, environment);
    } catch (StartupFailure startupFailure) {
      command.getErr().println("callboard: " + oneLine(startupFailure));
      return startupFailure.exitCode();
    }
    command.setDefaultValueProvider(configSources);
    if (configSources.wrong().isPresent()) {
      StartupFailure wrong = configSources.wrong().get();
      command.getErr().println("callboard: " + withOptions(wrong, command, arguments));
      return wrong.exitCode();
    }
    return command.execute(arguments);
  }

  /** Returns what is wrong with a configuration file, and with the options beside it. */
  private static String withOptions(StartupFailure wrong, CommandLine command, String[] arguments) {
    List<String> all = new ArrayList<>(List.of(oneLine(wrong)));
    command.getCommandSpec().parser().collectErrors(true);
    try {
      ParseResult parsed = command.parseArgs(arguments);
      for (Exception each : parsed.errors()) {
        all.add(each instanceof ParameterException its ? words(its) : oneLine(each));
      }
      if (parsed.errors().isEmpty() && !parsed.hasSubcommand()) {
        command.<NodeCommand>getCommand().check();
      }
    } catch (ParameterException e) {
      all.add(words(e));
    }
    return String.join("; and ", all);
  }

  /** Returns the command with all subcommands and the handling of their failures. */
  static CommandLine commands() {
    CommandLine command = new CommandLine(new NodeCommand());
    command.setExpandAtFiles(false); // @FILE is a value of options, and commands of jobs have such
    ClientCommands.addTo(command);
    command.addSubcommand("demo", DemoCommand.all());
    command.addSubcommand("new", new NewCommand());
    command.addSubcommand("fsck", new FsckCommand());
    command.addSubcommand("archive", new ArchiveCommand());
    command.addSubcommand("backup", new BackupCommand());
    command.addSubcommand("restore", new RestoreCommand());
    command.addSubcommand("repair", new RepairCommand());
    command.addSubcommand("passwd", new PasswdCommand());
    command.addSubcommand("completion", new CompletionCommand());
    ArgumentValues.registerIn(command);
    command.setParameterExceptionHandler((e, args) -> usage(command.getErr(), e));
    command.setExecutionExceptionHandler(
        (e, cli, parsed) -> {
          String remedy =
              e instanceof DataDirectoryException directory && directory.isUnusable()
                  ? StartupFailure.ANOTHER_DATA_DIRECTORY
                  : "";
          cli.getErr().println("callboard: " + oneLine(e) + remedy);
          return e instanceof StartupFailure startupFailure
              ? startupFailure.exitCode()
              : StartupFailure.FAILED;
        });
    return command;
  }

  private static int usage(PrintWriter err, ParameterException e) {
    err.println("callboard: " + words(e) + " (see --help)");
    return StartupFailure.USAGE;
  }

  private static String words(ParameterException e) {
    String hint = "";
    String what = oneLine(e);
    if (e instanceof UnmatchedArgumentException unmatched) {
      String given = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
      what = (given.startsWith("-") ? "there is no option " : "there is no command ") + given;
      hint = hint(e.getCommandLine(), given);
    }
    return what + ConfigSources.sourceOf(e) + hint;
  }

  private static String hint(CommandLine command, String given) {
    boolean isOfCommands =
        command.getSubcommands().values().stream()
            .anyMatch(each -> each.getCommandSpec().optionsMap().containsKey(given));
    if (isOfCommands) {
      return " before a command; write it after the command";
    }
    List<String> known = new ArrayList<>(command.getCommandSpec().optionsMap().keySet());
    known.addAll(command.getSubcommands().keySet());
    return Suggestions.of(given, known)
        .map(near -> "; did you mean %s?".formatted(near))
        .orElse("");
  }

  private static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }
}
