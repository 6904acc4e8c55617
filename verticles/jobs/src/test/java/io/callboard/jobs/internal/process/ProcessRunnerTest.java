package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.testkit.Eventually;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@Tag("real")
class ProcessRunnerTest {
  @TempDir Path data;
  RunFixture node;

  @BeforeEach
  void open() {
    node = new RunFixture(data);
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void tellsTheExitCode() {
    RunResult zero = node.run(node.request(1, "true"));
    RunResult seven = node.run(node.shell(2, "exit 7"));

    assertThat(zero.succeeded()).isTrue();
    assertThat(zero.error()).isEmpty();
    assertThat(zero.endedAt()).isAfterOrEqualTo(zero.startedAt().minusMillis(20));
    assertThat(seven.exitCode()).isEqualTo(7);
    assertThat(seven.signal()).isEmpty();
    assertThat(node.runner.live()).isEmpty();
  }

  @Test
  void tellsTheSignal() {
    RunResult result = node.run(node.shell(1, "kill -SEGV $$"));

    assertThat(result.signal()).hasValue(11);
  }

  @Test
  void aKillOfTheWholeGroupByTheJobDoesNotHideItsEnd() {
    assertThat(node.run(node.shell(1, "kill -TERM 0")).exitCode()).isEqualTo(143);
    assertThat(node.run(node.shell(2, "trap '' INT; kill -INT 0; exit 3")).exitCode()).isEqualTo(3);
  }

  @Test
  void signalsHaveTheirDefaultInTheCommand() throws Exception {
    RunResult result = node.run(node.shell(1, "grep SigIgn /proc/self/status"));

    // bits: HUP 0, INT 1, QUIT 2, TERM 14
    assertThat(result.succeeded()).isTrue();
    // what was ignored before this JVM began (nohup, a background job of a shell) no shell undoes
    long inherited = ignored(Files.readString(Path.of("/proc/self/status")));
    assertThat(ignored(node.log(1)) & 0x4007 & ~inherited).isZero();
  }

  private static long ignored(String status) {
    String line =
        status.lines().filter(each -> each.startsWith("SigIgn")).findFirst().orElseThrow();
    return Long.parseLong(line.split("\\s+")[1], 16);
  }

  @Test
  void keepsOutputAndErrorsInTheLog() {
    RunResult unused = node.run(node.shell(1, "echo out; echo err >&2; printf 'no line end'"));

    assertThat(node.log(1)).isEqualTo("out\nerr\nno line end");
    assertThat(node.directories.tail(new RunKey(node.jobId, 1), 2, 1000).text())
        .isEqualTo("err\nno line end");
  }

  @Test
  void handsOverEnvironmentArgumentsAndDirectory() {
    RunRequest request =
        new RunRequest(
            new RunKey(node.jobId, 3),
            List.of("sh", "-c", "env; echo \"args=$1|$2\"; pwd; cat", "sh", "a  b", "$x\n'y' é"),
            Map.of("GREETING", "hello\nworld", "CALLBOARD_EPOCH", "forged", "directory", "mine"),
            7,
            "{\"row\":3}");

    assertThat(node.run(request).exitCode()).isZero();

    assertThat(node.log(3))
        .contains("GREETING=hello\nworld\n")
        .contains("directory=mine\n")
        .contains("CALLBOARD_JOB_ID=" + node.jobId + "\n")
        .contains("CALLBOARD_RUN_ID=3\n")
        .contains("CALLBOARD_EPOCH=7\n")
        .contains("CALLBOARD_CHECKPOINT={\"row\":3}\n")
        .contains("CALLBOARD_HOME_ID=" + node.home.homeId() + "\n")
        .contains("CALLBOARD_BOOT_ID=" + node.home.bootId() + "\n")
        .contains("args=a  b|$x\n'y' é\n")
        .contains(node.directories.directory(request.key()) + "\n")
        .doesNotContain("forged");
  }

  @Test
  void runsTheProgramAndNotABuiltInOfTheShell() {
    assertThat(node.run(node.request(1, "echo", "--version")).succeeded()).isTrue();
    assertThat(node.log(1)).contains("coreutils");
    assertThat(refusal(node.request(2, "exit", "3")).kind()).isEqualTo(RunException.Kind.NOT_FOUND);
  }

  @Test
  void namesACommandThatIsNotThere() {
    RunException refused = refusal(node.request(1, "xyz-nowhere"));

    assertThat(refused)
        .hasMessage("command \"xyz-nowhere\" was not found on the PATH of host testhost");
    assertThat(refused.exitCode()).isEqualTo(127);
    assertThat(node.log(1)).contains("xyz-nowhere");
    assertThat(refusal(node.request(2, "/no/such"))).hasMessageContaining("does not exist on host");
  }

  @Test
  void namesACommandThatCannotBeExecuted() throws Exception {
    Path plain = Files.writeString(data.resolve("plain"), "x");
    Path script = Files.writeString(data.resolve("script"), "#!/no/interpreter\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));

    RunException refused = refusal(node.request(1, plain.toString()));
    RunResult result = node.run(node.request(2, script.toString()));

    assertThat(refused.kind()).isEqualTo(RunException.Kind.NOT_EXECUTABLE);
    assertThat(refused.exitCode()).isEqualTo(126);
    assertThat(result.exitCode()).isEqualTo(127);
    assertThat(result.error()).get().asString().contains(script.toString());
  }

  @Test
  void refusesWhatTheSystemCannotTake() {
    String huge = "x".repeat(200_000);
    String[] many = new String[60];
    java.util.Arrays.fill(many, "y".repeat(100_000));
    many[0] = "true";

    assertThat(refusal(node.request(1, "true", huge)))
        .hasMessageContaining("argument 1 has 200000");
    assertThat(refusal(node.request(2, many))).hasMessageContaining("too long for the kernel");
    assertThat(refusal(node.request(3, "true", "a\0b"))).hasMessageContaining("NUL");
    assertThatThrownBy(() -> new RunKey("../etc", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RunKey("abc", 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void startsARunIdOnce() {
    RunResult unused = node.run(node.request(1, "true"));

    assertThat(refusal(node.request(1, "true")).kind())
        .isEqualTo(RunException.Kind.ALREADY_STARTED);
  }

  @Test
  void leavesNoProcessBehind() {
    Run run =
        node.start(
            node.shell(
                1,
                "sleep 1000 & (sleep 1000 & echo $! >deep; wait) & "
                    + "while ! [ -s deep ]; do :; done"));
    RunResult result = await(run.result());

    assertThat(result.succeeded()).isTrue();
    Eventually.isTrue(
        "the group is gone", () -> RunFixture.processesOf(node.home.homeId()).isEmpty());
  }

  @Test
  void killGivesTheGroupItsGrace() {
    Run run =
        node.start(
            node.shell(
                1, "trap 'echo bye; exit 5' TERM; echo up >up; " + "while :; do sleep 0.01; done"));
    String up = node.awaitFile(run.key(), "up");

    KillReport report = await(node.runner.kill(run.key(), RunFixture.PATIENCE, "cancelled"));

    assertThat(up).isEqualTo("up");
    assertThat(report.outcome()).isEqualTo(KillReport.Outcome.TERMINATED);
    assertThat(await(run.result()).exitCode()).isEqualTo(5);
    assertThat(await(run.result()).error()).contains("cancelled");
    assertThat(node.log(1)).contains("bye");
  }

  @Test
  void killForcesAfterTheGraceAndFindsEscapedProcesses() {
    Run run =
        node.start(
            node.shell(
                1,
                "trap '' TERM; setsid sleep 1000 & echo $! >escaped; "
                    + "sleep 1000 & while :; do sleep 1000; done"));
    String escaped = node.awaitFile(run.key(), "escaped");
    Eventually.isTrue("it has left the group", () -> groupOf(escaped) == Long.parseLong(escaped));

    KillReport report =
        await(node.runner.kill(run.key(), java.time.Duration.ofMillis(100), "timeout"));

    assertThat(report.outcome()).isEqualTo(KillReport.Outcome.KILLED);
    assertThat(RunFixture.processesOf(node.home.homeId())).isEmpty();
    assertThat(RunFixture.isAlive(escaped)).isFalse();
    RunResult result = await(run.result());
    assertThat(result.exitCode()).isEqualTo(137);
    assertThat(result.error()).contains("timeout");
  }

  @Test
  void killsAGroupWhoseWatcherWasStopped() {
    Run run = node.start(node.shell(1, "echo up >up; kill -STOP 0; sleep 1000"));
    String up = node.awaitFile(run.key(), "up");
    Eventually.isTrue("all of its group are stopped", this::allAreStopped);

    KillReport report =
        await(node.runner.kill(run.key(), java.time.Duration.ofMillis(50), "stuck"));

    assertThat(up).isEqualTo("up");
    assertThat(report.outcome()).isEqualTo(KillReport.Outcome.KILLED);
    assertThat(RunFixture.processesOf(node.home.homeId())).isEmpty();
  }

  @Test
  void killsTheGroupWhenTheShimAloneWasKilledAndKnowsNoOutcome() {
    Run run = node.start(node.shell(1, "sleep 1000 & echo up >up; wait"));
    String up = node.awaitFile(run.key(), "up");
    ProcessHandle.of(run.pid()).orElseThrow().destroyForcibly();

    RunResult result = await(run.result());

    assertThat(up).isEqualTo("up");
    assertThat(result.exitCode()).isEqualTo(137);
    assertThat(result.error()).get().asString().contains("killed from outside");
    assertThat(result.lost()).as("how the command would have ended nobody knows").isTrue();
    assertThat(node.directories.outcome(run.key())).isEmpty();
    assertThat(RunFixture.processesOf(node.home.homeId())).isEmpty();
  }

  @Test
  void aKillOfAnUnknownRunSaysSo() {
    KillReport report =
        await(node.runner.kill(new RunKey("ab", 1), RunFixture.PATIENCE, "cancelled"));

    assertThat(report.outcome()).isEqualTo(KillReport.Outcome.NOT_RUNNING);
  }

  @Test
  void killAllEndsRunningAndWaitingStarts() {
    List<Future<Run>> starts = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      starts.add(node.runner.start(node.request(i, "sleep", "1000"), 0));
    }
    Run first = await(starts.get(0));

    List<KillReport> reports = await(node.runner.killAll("fenced"));

    assertThat(reports).isNotEmpty().allMatch(r -> r.outcome() == KillReport.Outcome.KILLED);
    assertThat(await(first.result()).error()).contains("fenced");
    assertThat(node.runner.live()).isEmpty();
    assertThat(RunFixture.processesOf(node.home.homeId())).isEmpty();
    Eventually.assertThat(() -> assertThat(starts).allMatch(Future::isComplete));
    assertThat(node.directories.outcome(first.key()))
        .as("what its host kills is lost, not failed")
        .isEmpty();
  }

  @Test
  void aHundredStartsAtOnceAllEnd() {
    List<Future<RunResult>> results = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      results.add(node.runner.start(node.shell(i, "exit " + i % 3), 0).compose(Run::result));
    }

    for (int i = 1; i <= 100; i++) {
      assertThat(await(results.get(i - 1)).exitCode()).isEqualTo(i % 3);
    }
  }

  @Test
  void answersOnTheCallersContext() throws Exception {
    Context context = node.vertx.getOrCreateContext();
    Promise<List<Context>> seen = Promise.promise();
    context.runOnContext(
        go ->
            node.runner
                .start(node.request(1, "true"), 0)
                .compose(
                    run -> {
                      Context atStart = node.vertx.getOrCreateContext();
                      return run.result()
                          .map(result -> List.of(atStart, node.vertx.getOrCreateContext()));
                    })
                .onComplete(seen));

    assertThat(await(seen.future())).containsExactly(context, context);
  }

  private boolean allAreStopped() {
    List<Long> all = RunFixture.processesOf(node.home.homeId());
    return !all.isEmpty()
        && all.stream()
            .map(pid -> RunFixture.read(Path.of("/proc", String.valueOf(pid), "stat")))
            .allMatch(stat -> stat.substring(stat.lastIndexOf(')') + 1).startsWith(" T "));
  }

  private long groupOf(String pid) {
    return new ProcessTable()
        .entries().stream()
            .filter(entry -> entry.pid() == Long.parseLong(pid))
            .mapToLong(ProcessTable.Entry::group)
            .findFirst()
            .orElse(-1);
  }

  private RunException refusal(RunRequest request) {
    try {
      throw new AssertionError("started: " + node.start(request));
    } catch (RunException e) {
      return e;
    }
  }
}
