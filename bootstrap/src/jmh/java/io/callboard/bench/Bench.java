package io.callboard.bench;

import io.callboard.codecs.internal.text.Suggestions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The program {@code bench}: runs rows one after the other, each in a JVM of its own. */
@Command(
    name = "bench",
    description = "Measures Callboard beside its peers; prints a table and writes <row>.json.")
final class Bench implements Callable<Integer> {
  @Parameters(paramLabel = "ROW", arity = "0..*", description = "Which rows, default all.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "At most 50 s a row, sources and sources-lag 90 s; coarser.")
  private boolean quick;

  @Option(names = "--list", description = "Lists the rows.")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = "${sys:callboard.home:-.}/target/bench",
      description = "Where <row>.json and data files go, default bootstrap/target/bench.")
  private Path output = Path.of("target", "bench");

  private final CommandLine cli = new CommandLine(this);

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Returns the exit code: 0, 1 if a row failed, 2 for a wrong argument. */
  static int run(String... arguments) {
    return new Bench().cli.setParameterExceptionHandler(Bench::usage).execute(arguments);
  }

  private static int usage(ParameterException e, String[] arguments) {
    String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    e.getCommandLine().getErr().println("bench: " + what + " (see --help)");
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public Integer call() throws Exception {
    List<Row> rows = rows();
    if (list) {
      rows.forEach(row -> cli.getOut().printf("%-16s %s%n", row.name(), row.about()));
      return CommandLine.ExitCode.OK;
    }
    int worst = CommandLine.ExitCode.OK;
    for (Row row : rows) {
      String directory = output.toAbsolutePath().normalize().toString();
      int code =
          Child.run(
              RowProcess.class,
              RowProcess.flags(),
              row.name(),
              quick ? RowProcess.QUICK : RowProcess.FULL,
              directory);
      worst = Math.max(worst, code == 0 ? 0 : CommandLine.ExitCode.SOFTWARE);
    }
    return worst;
  }

  private List<Row> rows() {
    List<Row> known = Row.all();
    if (names.isEmpty()) {
      return known;
    }
    List<String> valid = known.stream().map(Row::name).toList();
    for (String name : names) {
      if (!valid.contains(name)) {
        throw new ParameterException(
            cli, "there is no row \"%s\"%s".formatted(name, Suggestions.hint(name, valid)));
      }
    }
    return known.stream().filter(row -> names.contains(row.name())).toList();
  }
}
