package io.callboard.bootstrap;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.data.DataDirectory;
import io.callboard.examples.failover.FailoverShow;
import io.callboard.examples.failover.ShowMember;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows how a role moves when its holder ends; or is, as a process of its own, a candidate. */
@Command(
    name = "failover",
    sortOptions = false,
    description =
        "A role, three processes that can hold it, and somebody who asks it all the time: its holder is killed, asked to hand over, and stopped. Tells how long an answer took at most, and whether anything was lost.")
final class FailoverCommand implements Callable<Integer> {
  private static final int MOST_ROUNDS = 1_000;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "How often its holder ends in each way (default: ${DEFAULT-VALUE}).")
  int rounds = 2;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data-demo",
      description =
          "Where ZooKeeper and the logs of the processes are kept (default: ./${DEFAULT-VALUE}).")
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
    NodeLog.configure(data, "text"); // before the first logger is made
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
      return show.run(rounds) ? 0 : StartupFailure.FAILED;
    }
  }

  /** The same program, as a candidate; what it says goes to its log. */
  private Process start(String name, String servers) throws IOException {
    Path home = Files.createDirectories(data.resolve(name));
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx256m", "-Djava.net.preferIPv4Stack=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("demo", "failover", "--candidate", name, "--zookeeper", servers));
    command.addAll(List.of("--data", home.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("out.log").toFile()))
        .start();
  }

  /** Until it is stopped, or its standard input ends because the show's process is gone. */
  private int hold(String name) throws Exception {
    ShowMember member = ShowMember.join(zookeeper, name);
    ShutdownHook.beforeExit(() -> leave(member));
    member.canHold();
    while (System.in.read() >= 0) {
      // it is told nothing
    }
    Runtime.getRuntime()
        .halt(StartupFailure.FAILED); // with the show its ZooKeeper is gone: no farewell
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
