package io.callboard.chaos;

import io.callboard.chaos.hosts.LoopbackNetwork;
import io.callboard.chaos.hosts.NamespaceNetwork;
import io.callboard.chaos.hosts.Network;
import io.callboard.chaos.hosts.Progress;
import io.callboard.codecs.internal.text.Suggestions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The program {@code chaos}. */
@Command(
    name = "chaos",
    sortOptions = false,
    description =
        "Runs nodes and ZooKeeper servers as processes, harms them, and judges what came of it.",
    footer = {
      "",
      "Exit code 0 if the verdict is all zeros, 1 if not, 2 for a wrong argument.",
      "What was seen is in history.jsonl, what the processes said in *.log of the directory."
    })
final class Chaos implements Callable<Integer> {
  /** Maximum number of instances: as many as a cell can be told to keep once they have ended. */
  static final int MOST_INSTANCES = 100_000;

  private static final int MOST_NODES = 20;

  @Option(
      names = "--scenario",
      paramLabel = "S",
      defaultValue = "all",
      description = "Which faults (default: ${DEFAULT-VALUE}); see --list.")
  private String scenario = "all";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long faults begin (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(
      names = "--seed",
      paramLabel = "X",
      description = "Which faults when (default: another each time).")
  private @Nullable Long seed;

  @Option(names = "--nodes", paramLabel = "N", description = "How many (default: 3; for jobs 5).")
  private @Nullable Integer nodes;

  @Option(
      names = "--ensemble",
      paramLabel = "1|3",
      defaultValue = "1",
      description = "ZooKeeper servers (default: ${DEFAULT-VALUE}).")
  private int ensemble = 1;

  @Option(
      names = "--network",
      description =
          "Each node and each ZooKeeper server is a host with an address and a clock of its own"
              + " (Linux namespaces; needs root), servers are cut from each other too, and hosts"
              + " vanish.")
  private boolean network;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Pause between two faults (default: 0.2 to 2 at random).")
  private @Nullable Integer every;

  @Option(names = "--no-faults", description = "Only the load and the verdict.")
  private boolean noFaults;

  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Workflows of the scenario workflows, up to 100000 (default: ${DEFAULT-VALUE}).")
  private int instances = 500;

  @Option(
      names = "--bug",
      paramLabel = "B",
      defaultValue = "none",
      description =
          "A mistake for the nodes, to test the verdict: none, skipped-epoch, lost-hints,"
              + " double-relay, failed-start, deaf-to-drain, stopped-actor, lost-delivery, new-ids"
              + " or late-calls"
              + " (default: ${DEFAULT-VALUE}).")
  private String bug = "none";

  @Option(
      names = "--output",
      paramLabel = "DIR",
      defaultValue = "${sys:callboard.home:-.}/target/chaos",
      description = "Where each run leaves its directory, default bootstrap/target/chaos.")
  private Path output = Path.of("target", "chaos");

  @Option(names = "--list", description = "Lists the scenarios.")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  private final CommandLine cli = new CommandLine(this);

  public static void main(String[] arguments) {
    System.exit(new Chaos().cli.setParameterExceptionHandler(Chaos::usage).execute(arguments));
  }

  private static int usage(ParameterException e, String[] arguments) {
    String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    e.getCommandLine().getErr().println("chaos: " + what + " (see --help)");
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      for (Scenario each : Scenario.values()) {
        cli.getOut().printf("%-10s %s%n", each.label(), each.about());
      }
      return CommandLine.ExitCode.OK;
    }
    check();
    long seeded = seed == null ? System.nanoTime() & 0xffff_ffffL : seed;
    String stamp = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").format(LocalDateTime.now());
    Path directory =
        Files.createDirectories(
            output.toAbsolutePath().normalize().resolve("%s-%d".formatted(stamp, seeded)));
    // whoever asks for a node's address gets that of the line which leads there
    System.setProperty(
        "jdk.net.hosts.file", directory.resolve("hosts-" + (nodes() + 1)).toString());
    Progress.say(
        "scenario %s, seed %d, %d nodes, ensemble of %d, in %s"
            .formatted(scenario, seeded, nodes(), ensemble, directory));
    Run.Outcome outcome = run(directory, seeded);
    cli.getOut().println(outcome.line());
    return outcome.clean() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private Run.Outcome run(Path directory, long seeded) throws Exception {
    try (History history = new History(directory);
        Network hosts = network ? new NamespaceNetwork() : new LoopbackNetwork();
        Cluster cluster =
            new Cluster(directory, classPath(), nodes(), ensemble, bug, hosts, seeded)) {
      history.note("seed", "value", seeded, "scenario", scenario);
      RunOptions options =
          new RunOptions(
              chosen(),
              seeded,
              Duration.ofSeconds(seconds),
              every == null ? null : Duration.ofSeconds(every),
              !noFaults,
              instances);
      return new Run(options, cluster, history).run();
    }
  }

  /** Returns the class path: the built jar, and the classes that run the workload. */
  private static String classPath() throws IOException {
    String jar = System.getProperty("callboard.jar", "");
    if (!Files.isRegularFile(Path.of(jar))) {
      throw new IOException("the jar %s is not there: run bootstrap/bin/chaos".formatted(jar));
    }
    return jar + java.io.File.pathSeparator + System.getProperty("chaos.classes", "");
  }

  private void check() {
    var unused = chosen();
    require(SeededBug.labels().contains(bug), "there is no bug " + bug);
    require(
        instances >= 1 && instances <= MOST_INSTANCES,
        "--instances is 1 to %d, not %d".formatted(MOST_INSTANCES, instances));
    require(every == null || every >= 1, "--every is 1 or more seconds, not " + every);
    require(seconds >= 1, "--seconds is 1 or more, not " + seconds);
    require(nodes() >= 2 && nodes() <= MOST_NODES, "--nodes is 2 to 20, not " + nodes());
    require(ensemble == 1 || ensemble == 3, "--ensemble is 1 or 3, not " + ensemble);
  }

  private int nodes() {
    return nodes == null ? chosen().nodes() : nodes;
  }

  private Scenario chosen() {
    List<String> known = Scenario.labels();
    String hint =
        Suggestions.of(scenario, known)
            .map(near -> "; did you mean %s?".formatted(near))
            .orElse("");
    require(known.contains(scenario), "there is no scenario %s%s".formatted(scenario, hint));
    return Scenario.values()[known.indexOf(scenario)];
  }

  private void require(boolean good, String otherwise) {
    if (!good) {
      throw new ParameterException(cli, otherwise);
    }
  }
}
