package io.callboard.jobs.internal.process;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
@Tag("real")
class FenceTest {
  private static final long HOUR = 3_600_000_000_000L;

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

  private void mayRunFor(Duration time) {
    var unused = node.runner.mayRunUntil(System.nanoTime() + time.toNanos());
  }

  /** Lets runs go on, and waits until others may start, too. */
  private void mayStartFor(Duration time) {
    var unused = await(node.runner.mayRunUntil(System.nanoTime() + time.toNanos()));
  }

  @Test
  void aRunThatGoesOnWhenTheTimeIsOverIsKilledWithoutAnOutcome() {
    Run run = node.start(node.shell(1, "trap '' TERM; sleep 1000 & echo up >up; sleep 1000"));
    assertThat(node.awaitFile(run.key(), "up")).isEqualTo("up");
    mayRunFor(Duration.ofMillis(200));
    RunResult result = await(run.result());

    assertThat(result.lost()).isTrue();
    assertThat(result.error()).hasValue(Fence.REASON);
    assertThat(node.directories.outcome(new RunKey(node.jobId, 1))).isEmpty();
    assertThat(RunFixture.processesOf(node.home.homeId())).isEmpty();
  }

  @Test
  void noRunStartsWhileTheTimeIsOver() {
    mayRunFor(Duration.ZERO);
    // it acts twice, when it is told and when the time is over; then it ends no more terms
    Eventually.isTrue("the fence has acted", () -> node.runner.term() == 2);
    assertThatThrownBy(() -> node.start(node.request(1, "true")))
        .isInstanceOfSatisfying(
            RunException.class, e -> assertThat(e.kind()).isEqualTo(RunException.Kind.ABANDONED));
    assertThat(node.directories.outcome(new RunKey(node.jobId, 1))).isEmpty();

    mayStartFor(Duration.ofMinutes(1));
    assertThat(node.run(node.request(2, "true")).succeeded()).isTrue();
  }

  /** The node read its time, and then stalled until that time had passed. */
  @Test
  void aShimThatComesTooLateBeginsNothing() throws Exception {
    Launcher launcher = new Launcher(node.home, node.directories);
    long now = Uptime.now().orElseThrow();
    RunRequest late = node.shell(1, "echo begun >begun");
    RunLog log = new RunLog(node.home.log(late.key()), LogLimits.DEFAULT);

    Process shim = launcher.launch(late, log, Instant.now(), OptionalLong.of(now));
    assertThat(shim.waitFor()).isEqualTo(RunResult.KILLED);
    assertThat(node.home.directory(late.key()).resolve("begun")).doesNotExist();
    assertThat(node.directories.outcome(late.key())).isEmpty();

    RunRequest early = node.shell(2, "echo begun $CALLBOARD_UPTIME >begun");
    Process other = launcher.launch(early, log, Instant.now(), OptionalLong.of(now + 6_000));
    assertThat(other.waitFor()).isEqualTo(RunResult.KILLED);
    assertThat(node.home.directory(early.key()).resolve("begun")).hasContent("begun\n");
    assertThat(node.directories.outcome(early.key()).orElseThrow().exitCode()).isZero();
  }

  @Test
  void aFenceThatIsRenewedInTimeEndsNothing() throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicInteger kills = new AtomicInteger();
    RunWatchdog runWatchdog = RunWatchdog.install(node.home, now::get);
    Fence fence =
        new Fence(
            runWatchdog,
            Executors.newSingleThreadScheduledExecutor(),
            kills::incrementAndGet,
            now::get);
    Run run = node.start(node.shell(1, "exec sleep 1000"));
    assertThat(fence.renew(HOUR).get()).isFalse();
    assertThat(guards("")).isNotEmpty();
    now.set(HOUR - 1);
    assertThat(fence.renew(3 * HOUR).get()).isFalse();
    assertThat(fence.renew(2 * HOUR).get()).as("said late, and of less").isFalse();

    now.set(3 * HOUR - 1);
    assertThat(fence.isOver()).isFalse();
    assertThat(runWatchdog.mayHaveKilled()).isFalse();
    assertThat(kills).hasValue(0);
    assertThat(RunFixture.isAlive("" + run.pid())).isTrue();
    now.set(3 * HOUR);
    assertThat(fence.isOver()).as("the last time counts").isTrue();
    fence.close();
  }

  @Test
  @Tag("long")
  void aRunWhoseLeaseIsRenewedInTimeGoesOn() {
    Run run = node.start(node.shell(1, "sleep 8; echo through"));
    mayRunFor(Duration.ofSeconds(5));
    Eventually.isTrue("there is a guard", () -> !guards("").isEmpty());
    mayRunFor(Duration.ofMinutes(1));
    mayRunFor(Duration.ofSeconds(1)); // said late, and of less

    assertThat(await(run.result()).succeeded()).isTrue();
    assertThat(node.log(1)).isEqualTo("through\n");
  }

  @Test
  void whileTheTimeIsOverItTakesNoRuns() {
    assertThat(node.runner.takesRuns()).isTrue();
    mayRunFor(Duration.ZERO);
    assertThat(node.runner.takesRuns()).isFalse();
    mayStartFor(Duration.ofMinutes(1));
    assertThat(node.runner.takesRuns()).isTrue();
  }

  /** It comes back before its guard kills, or after. */
  @ParameterizedTest
  @ValueSource(longs = {HOUR + 500_000_000L, 2 * HOUR})
  void aHostThatComesBackTakesNoRunsBeforeItsGuardKnows(long back) throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicInteger kills = new AtomicInteger();
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    RunWatchdog runWatchdog = RunWatchdog.install(node.home, now::get);
    Fence fence = new Fence(runWatchdog, thread, kills::incrementAndGet, now::get);
    assertThat(fence.renew(HOUR).get()).as("nothing had to end").isFalse();
    assertThat(fence.isOver()).isFalse();

    now.set(back);
    assertThat(fence.isOver()).isTrue();
    CountDownLatch go = new CountDownLatch(1);
    Future<?> busy = thread.submit(() -> Waits.opened(go));
    CompletableFuture<Boolean> renewed = fence.renew(3 * HOUR);
    assertThat(kills).as("what ran").hasValue(1);
    assertThat(fence.isOver()).as("its guard may kill at any moment").isTrue();
    assertThat(renewed).isNotDone();

    go.countDown();
    assertThat(renewed.get()).as("what ran had to end").isTrue();
    assertThat(busy).isDone();
    assertThat(fence.isOver()).isFalse();
    int before = kills.get();
    assertThat(fence.renew(4 * HOUR).get()).isFalse();
    assertThat(kills).as("what begins then goes on").hasValue(before);

    List<Runnable> unused = thread.shutdownNow();
    runWatchdog.close();
  }

  @Test
  void aJobCannotDisarmTheGuardInItsDirectory() throws Exception {
    // the guard alone, with a time that this host does not have
    RunWatchdog runWatchdog = RunWatchdog.install(node.home, System::nanoTime);
    Run wild = node.start(node.shell(1, "rm -rf ./*; mkfifo group; echo up >up; sleep 1000"));
    Run tame = node.start(node.shell(2, "echo up >up; exec sleep 1000"));
    String unused = node.awaitFile(wild.key(), "up") + node.awaitFile(tame.key(), "up");
    runWatchdog.renew(Duration.ofMillis(100));

    for (Run run : List.of(wild, tame)) {
      RunResult result = await(run.result());
      assertThat(result.exitCode()).isEqualTo(RunResult.KILLED);
      assertThat(result.error().orElseThrow()).contains("killed from outside");
    }
    assertThat(runWatchdog.mayHaveKilled()).isTrue();
    runWatchdog.close();
  }

  @Test
  void aGuardThatIsClosedKillsNothing() {
    Run run = node.start(node.shell(1, "echo up >up; exec sleep 1000"));
    assertThat(node.awaitFile(run.key(), "up")).isEqualTo("up");
    RunWatchdog runWatchdog = RunWatchdog.install(node.home, System::nanoTime);
    runWatchdog.renew(Duration.ofMinutes(1));
    AtomicReference<String> guard = new AtomicReference<>("");
    Eventually.isTrue(
        "there is a guard",
        () -> {
          guard.set(guards(""));
          return !guard.get().isEmpty();
        });
    runWatchdog.close();

    Eventually.isTrue("it has ended", () -> !RunFixture.isAlive(guard.get()));
    assertThat(RunFixture.isAlive("" + run.pid())).isTrue();
    assertThat(run.result().isComplete()).isFalse();
  }

  @Test
  void aGuardThatWasKilledIsReplaced() {
    mayRunFor(Duration.ofMinutes(1));
    AtomicReference<String> guard = new AtomicReference<>("");
    Eventually.isTrue(
        "there is a guard",
        () -> {
          guard.set(guards("")); // it is not seen while its arguments cannot be read
          return !guard.get().isEmpty();
        });
    String first = guard.get();
    ProcessHandle.of(Long.parseLong(first)).orElseThrow().destroyForcibly();
    Eventually.isTrue("it is gone", () -> !RunFixture.isAlive(first));

    Eventually.isTrue(
        "another guards",
        () -> {
          // as a host does, again and again: what the killed one left may swallow one renewal
          mayRunFor(Duration.ofMinutes(2));
          return !guards(first).isEmpty();
        });
  }

  /** Returns the process id of the guard that is not {@code other}; empty if there is none. */
  private String guards(String other) {
    String script = data.resolve("guard.sh").toString();
    return ProcessHandle.current()
        .children()
        .filter(
            child ->
                child.info().arguments().map(List::of).stream()
                    .anyMatch(arguments -> arguments.contains(script)))
        .map(child -> Long.toString(child.pid()))
        .filter(pid -> !pid.equals(other))
        .findFirst()
        .orElse("");
  }
}
