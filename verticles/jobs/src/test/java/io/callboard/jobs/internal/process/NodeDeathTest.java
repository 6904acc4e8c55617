package io.callboard.jobs.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.OrphanedRun;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.testkit.Eventually;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@Tag("real")
class NodeDeathTest {
  private static final String JOB = "5f0c1e9a-0000-4000-8000-000000000001";
  private static final String FAMILY =
      "sleep 1000 & (sleep 1000 & echo $! >pid; wait) & trap '' TERM; while :; do sleep 1000; done";

  @TempDir Path data;
  Process node;

  @AfterEach
  void end() throws Exception {
    if (node != null) {
      node.destroyForcibly().waitFor();
    }
    RunFixture.killAll(first().homeId());
  }

  private RunHome first() {
    return RunFixture.home(data, "boot-1");
  }

  private RunHome second() {
    return RunFixture.home(data, "boot-2");
  }

  private void startNode(String... scripts) throws Exception {
    startNode(Duration.ofMinutes(2), scripts);
    mayRunOn();
  }

  /** Makes the node renew the time of its runs from now on. */
  private void mayRunOn() throws Exception {
    node.getOutputStream().close();
  }

  private void startNode(Duration mayRun, String... scripts) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                NodeMain.class.getName(),
                data.toString(),
                "boot-1",
                JOB,
                Long.toString(mayRun.toMillis())));
    command.addAll(List.of(scripts));
    node =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(new File(data.toFile(), "node.out"))
            .start();
  }

  private void kill9() throws Exception {
    node.destroyForcibly();
  }

  private void awaitExit(int runId) {
    Path file = first().control(new RunKey(JOB, runId)).resolve("exit");
    Eventually.isTrue(file + " in " + data, () -> RunFixture.read(file).endsWith("\n"));
  }

  private void awaitWritten(int runId, String name) {
    Path file = first().directory(new RunKey(JOB, runId)).resolve(name);
    Eventually.isTrue(file + " in " + data, () -> RunFixture.read(file).endsWith("\n"));
  }

  @Test
  void noProcessOutlivesItsNode() throws Exception {
    startNode(FAMILY, FAMILY, FAMILY);
    for (int run = 1; run <= 3; run++) {
      awaitWritten(run, "pid");
    }
    assertThat(RunFixture.processesOf(first().homeId())).hasSizeGreaterThanOrEqualTo(15);

    kill9();

    Eventually.isTrue(
        "no process of the home is left", () -> RunFixture.processesOf(first().homeId()).isEmpty());
  }

  @Test
  void aNodeKilledAmidStartsLeavesNothing() throws Exception {
    String[] scripts = new String[150];
    java.util.Arrays.fill(scripts, "sleep 1000");
    startNode(scripts);
    Eventually.isTrue(
        "some have started", () -> RunFixture.processesOf(first().homeId()).size() > 60);

    kill9();

    Eventually.isTrue(
        "no process of the home is left", () -> RunFixture.processesOf(first().homeId()).isEmpty());
  }

  @Test
  void aFrozenNodeKeepsItsRunsAndLearnsTheirEnd() throws Exception {
    startNode("echo up >up; while ! [ -f go ]; do sleep 0.01; done; echo done >done; exit 4");
    awaitWritten(1, "up");
    signalNode("STOP");

    Files.createFile(first().directory(new RunKey(JOB, 1)).resolve("go"));
    awaitExit(1);
    assertThat(RunFixture.read(data.resolve("node.out"))).doesNotContain("ended");
    signalNode("CONT");

    Eventually.isTrue(
        "the node tells the result",
        () ->
            RunFixture.read(data.resolve("node.out"))
                .contains("ended " + JOB + "/1 RunResult[exitCode=4"));
  }

  @Test
  void aRunOfANodeFrozenForTooLongIsKilledWithoutAnOutcome() throws Exception {
    startNode(Duration.ofSeconds(3), "trap '' TERM; echo up >up; sleep 1000", FAMILY);
    awaitWritten(1, "up");
    awaitWritten(2, "pid");
    mayRunOn();
    Eventually.isTrue(
        "its guard knows the time",
        () -> RunFixture.read(data.resolve("node.out")).contains("renewed"));
    signalNode("STOP");

    Eventually.isTrue(
        "all are killed while the node is frozen",
        () -> RunFixture.processesOf(first().homeId()).isEmpty());
    assertThat(RunFixture.read(data.resolve("node.out"))).doesNotContain("ended");
    signalNode("CONT");

    String lost = " RunResult[exitCode=137, error=Optional[" + Fence.REASON + "], lost=true";
    for (String run : List.of("/1", "/2")) {
      Eventually.isTrue(
          "the node tells that run " + run + " is lost",
          () -> RunFixture.read(data.resolve("node.out")).contains("ended " + JOB + run + lost));
    }
  }

  private void signalNode(String name) throws Exception {
    int code = new ProcessBuilder("kill", "-" + name, "" + node.pid()).start().waitFor();
    assertThat(code).isZero();
  }

  @Test
  void theNextBootFindsOutcomesAndOrphans() throws Exception {
    startNode(
        "exit 9", "setsid sleep 1000 & echo $! >pid; wait", "sleep 1000 & echo $! >pid; wait");
    awaitWritten(2, "pid");
    awaitWritten(3, "pid");
    awaitExit(1);
    String escaped = RunFixture.read(first().directory(new RunKey(JOB, 2)).resolve("pid")).strip();
    Eventually.isTrue("it is out of the group", () -> sessionLeader(escaped));
    kill9();
    assertThat(node.waitFor()).isPositive();
    Eventually.isTrue(
        "only the escaped one is left",
        () -> RunFixture.processesOf(first().homeId()).equals(List.of(Long.valueOf(escaped))));
    Process innocent = new ProcessBuilder("sleep", "1000").start();

    OrphanSweep.Report swept = new OrphanSweep(second()).run();

    assertThat(swept.killed())
        .containsExactly(new OrphanProcess(Long.parseLong(escaped), JOB, "2", "boot-1"));
    assertThat(swept.survivors()).isEmpty();
    assertThat(innocent.isAlive()).isTrue();
    innocent.destroyForcibly();

    RunDirectories directories = new RunDirectories(second(), LogLimits.DEFAULT);
    List<OrphanedRun> left = directories.unacknowledged();
    assertThat(left).extracting(run -> run.key().runId()).containsExactly(1, 2, 3);
    assertThat(left).extracting(OrphanedRun::lost).containsExactly(false, true, true);
    assertThat(left).allMatch(run -> run.epoch() == 7 && run.bootId().equals("boot-1"));
    assertThat(left.get(0).exit().orElseThrow().exitCode()).isEqualTo(9);

    directories.acknowledge(left.get(0).key());
    assertThat(directories.unacknowledged())
        .extracting(run -> run.key().runId())
        .containsExactly(2, 3);
    directories.remove(JOB);
    assertThat(directories.unacknowledged()).isEmpty();
    assertThat(first().runs().resolve(JOB)).doesNotExist();
    assertThat(first().control().resolve(JOB)).doesNotExist();
  }

  @Test
  void aBootKillsNothingOfANodeThatLives() throws Exception {
    startNode(FAMILY);
    awaitWritten(1, "pid");
    List<Long> before = RunFixture.processesOf(first().homeId());

    OrphanSweep.Report swept = new OrphanSweep(second()).run();

    assertThat(swept.killed()).isEmpty();
    assertThat(swept.spared()).extracting(OrphanProcess::pid).containsAll(before);
    assertThat(RunFixture.processesOf(first().homeId())).containsAll(before);
    assertThat(RunFixture.read(data.resolve("node.out"))).doesNotContain("ended");
  }

  @Test
  void aRunThatASweepKillsHasNoOutcome() throws Exception {
    startNode("echo up >up; sleep 1000");
    awaitWritten(1, "up");
    killWatcher();
    kill9();
    assertThat(node.waitFor()).isPositive();
    Path exit = first().control(new RunKey(JOB, 1)).resolve("exit");
    // the command first: its shim has the time to write that it was killed
    ProcessTable commandsFirst =
        new ProcessTable() {
          private int looks;

          @Override
          List<Tagged> tagged(String homeId) {
            List<Long> shims = shims();
            if (looks++ > 0) {
              Eventually.isTrue("the shim has told the end", () -> Files.exists(exit));
              return super.tagged(homeId);
            }
            return super.tagged(homeId).stream()
                .filter(process -> !shims.contains(process.handle().pid()))
                .toList();
          }
        };

    OrphanSweep.Report swept = new OrphanSweep(second(), commandsFirst).run();

    assertThat(swept.killed()).isNotEmpty();
    assertThat(new RunDirectories(second(), LogLimits.DEFAULT).unacknowledged())
        .singleElement()
        .matches(OrphanedRun::lost, "is lost");
  }

  /** Kills the watcher of the only run; its parent is the shim, as is the command's. */
  private void killWatcher() throws Exception {
    long shim = shims().get(0);
    for (ProcessHandle child : ProcessHandle.of(shim).orElseThrow().children().toList()) {
      if (child.info().commandLine().orElse("").contains(Launcher.SHIM)) {
        child.destroyForcibly();
        Eventually.isTrue("the watcher is gone", () -> !RunFixture.isAlive("" + child.pid()));
      }
    }
  }

  private List<Long> shims() {
    return new ProcessTable()
        .entries().stream()
            .filter(entry -> entry.pid() == entry.group())
            .map(ProcessTable.Entry::pid)
            .filter(pid -> RunFixture.processesOf(first().homeId()).contains(pid))
            .toList();
  }

  private static boolean sessionLeader(String pid) {
    return new ProcessTable()
        .entries().stream()
            .anyMatch(e -> e.pid() == Long.parseLong(pid) && e.group() == Long.parseLong(pid));
  }

  @Test
  void aSweepSparesItsOwnBoot() throws Exception {
    try (RunFixture own = new RunFixture(data)) {
      Run run = own.start(own.request(1, "sleep", "1000"));

      assertThat(new OrphanSweep(own.home).run().killed()).isEmpty();
      assertThat(RunFixture.isAlive("" + run.pid())).isTrue();
      assertThat(own.directories.unacknowledged()).isEmpty();
    }
  }
}
