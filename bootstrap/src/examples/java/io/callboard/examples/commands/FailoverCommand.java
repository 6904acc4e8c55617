package io.callboard.examples.commands;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.bootstrap.process.NodeLog;
import io.callboard.bootstrap.process.ShutdownHook;
import io.callboard.examples.failover.FailoverShow;
import io.callboard.examples.failover.ShowMember;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.part.StartedParts;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Command of the failover example: runs the show, or, as a process of its own, one candidate for
 * the role.
 */
@Command(
    name = "failover",
    sortOptions = false,
    description =
        "Shows how a role fails over: three processes can hold it, and a client asks it continuously, while its holder is killed, asked to hand over, and stopped. Prints how long an answer took at most, and whether anything was lost.")
final class FailoverCommand implements Callable<Integer> {
  private static final int MOST_ROUNDS = 1_000;
  private static final long START_S = 20;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "How often the holder ends in each of these ways (default: ${DEFAULT-VALUE}).")
  int rounds = 2;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description =
          "Directory of ZooKeeper's data and the processes' logs (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data-demo");

  @Option(names = "--candidate", paramLabel = "NAME", hidden = true)
  @Nullable String candidate;

  @Option(names = "--zookeeper", paramLabel = "SERVERS", hidden = true)
  String zookeeper = "";

  @Mixin Console console = new Console();

  @Override
  public Integer call() throws Exception {
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw new ParameterException(
          console.command(), "--rounds is 1 to %d, not %d".formatted(MOST_ROUNDS, rounds));
    }
    NodeLog.configure(data, "text"); // before the first logger is created
    return candidate == null ? show() : hold(candidate);
  }

  private int show() throws Exception {
    try (DataDirectory directory = DataDirectory.open(data);
        EmbeddedZooKeeper server =
            EmbeddedZooKeeper.start(directory.path().resolve("zookeeper"), 0, console::print);
        FailoverShow show =
            FailoverShow.in(
                server.connectString(),
                name -> start(name, server.connectString()),
                console::print)) {
      StartedParts unused =
          DemoDashboard.open(show.callboard(), show.grid(), console::print)
              .await(START_S, TimeUnit.SECONDS);
      return show.run(rounds) ? 0 : StartupFailure.FAILED;
    }
  }

  /** Starts this program as a candidate, with its output in a log file. */
  private Process start(String name, String servers) throws IOException {
    Path home = Files.createDirectories(data.resolve(name));
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx256m", "-Djava.net.preferIPv4Stack=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Console.MAIN_CLASS));
    command.addAll(List.of("demo", "failover", "--candidate", name, "--zookeeper", servers));
    command.addAll(List.of("--data", home.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("out.log").toFile()))
        .start();
  }

  /**
   * Runs a candidate until it is stopped, or its standard input ends because the show's process is
   * gone.
   */
  private int hold(String name) throws Exception {
    ShowMember member = ShowMember.join(zookeeper, name);
    ShutdownHook.beforeExit(() -> leave(member));
    member.canHold();
    while (System.in.read() >= 0) {
      // nothing is ever written to its input
    }
    Runtime.getRuntime().halt(StartupFailure.FAILED); // ZooKeeper ended with the show
    return StartupFailure.FAILED;
  }

  private static void leave(ShowMember member) {
    Logger log = LoggerFactory.getLogger(FailoverCommand.class);
    try {
      member.close();
    } catch (Exception e) {
      log.warn("the candidate did not stop cleanly", e);
    }
  }
}
