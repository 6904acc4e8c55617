package io.callboard.jobs.internal.call;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.KillReport.Outcome;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunRequest.HandlerCall;
import io.callboard.jobs.internal.runner.RunResult;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls of handlers: their kills, their refusals and their ends, by a clock that the test moves.
 */
class HandlerRunnerTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  @TempDir Path data;

  private final ManualTime time = new ManualTime();
  private final StartPermits permits = new StartPermits();
  private final ConcurrentLinkedQueue<KillReport> failedKills = new ConcurrentLinkedQueue<>();
  private HandlerRunner runner;

  @BeforeEach
  void open() {
    Callboard callboard =
        nodes.open("h1", options -> options.time(time).zone("one", ZoneOptions.fixed(1)));
    RunHome home = new RunHome(data, "home", callboard.bootId(), "h1");
    runner = new HandlerRunner(callboard, home, LogLimits.DEFAULT, permits);
    runner.onFailedKill(failedKills::add);
  }

  private void offer(JobHandler<String> code) {
    runner.offered("work").ifPresent(runner::withdraw);
    assertThat(
            runner.offer(
                new OfferedHandler<>(
                    "work", String.class, HandlerOptions.DEFAULT.zone("one"), code)))
        .isTrue();
  }

  private Future<Run> start(String job) {
    return start(job, null);
  }

  private Future<Run> start(String job, Duration timeout) {
    HandlerCall call = new HandlerCall("work", Json.tree("args of " + job), 1);
    return runner.start(
        new RunRequest(new RunKey(job, 1), List.of(), Map.of(), 7, null, timeout, 0, "work", call),
        permits.term());
  }

  private Future<KillReport> kill(String job) {
    return runner.kill(new RunKey(job, 1), Runner.KILL_GRACE, "cancelled");
  }

  @Test
  void codeThatIgnoresItsCancellationKeepsItsSlotAndIsReportedWithItsStack() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger interrupts = new AtomicInteger();
    offer(
        job -> {
          while (go.getCount() > 0) {
            try {
              go.await();
            } catch (InterruptedException e) {
              interrupts.incrementAndGet();
            }
          }
          return "late";
        });
    Run run = await(start("a"));
    Future<KillReport> killed = kill("a");
    assertThat(interrupts).hasValue(0);
    time.advance(Duration.ofSeconds(5));
    Eventually.assertThat(() -> assertThat(interrupts).hasValue(1));
    assertThat(killed.isComplete()).isFalse();
    time.advance(Duration.ofSeconds(5));
    KillReport report = await(killed);
    assertThat(report.outcome()).isEqualTo(Outcome.KILL_FAILED);
    assertThat(report.survivors()).isEmpty();
    assertThat(report.stack()).contains("HandlerRunnerTest", "CountDownLatch.await");
    assertThat(failedKills).containsExactly(report);
    assertThat(run.result().isComplete()).isFalse();
    assertThat(runner.live()).containsExactly(new RunKey("a", 1));
    time.advance(HandlerRunner.INTERRUPT_AGAIN);
    Eventually.assertThat(() -> assertThat(interrupts).hasValue(2));
    assertThat(failedKills).hasSize(2);
    go.countDown();
    RunResult result = await(run.result());
    assertThat(result.error()).contains("cancelled");
    assertThat(result.succeeded()).as("what it returns does not count").isFalse();
    assertThat(result.output().result()).isNull();
    assertThat(runner.live()).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(failedKills).as("it is over").hasSize(2);
  }

  @Test
  void asynchronousCodeThatNeverCompletesIsReportedAsThat() {
    Promise<String> never = Promise.promise();
    offer(job -> never.future());
    Run run = await(start("a"));
    Run unused = await(start("b")); // on the only thread of the zone, so the code of a has returned
    Future<KillReport> killed = kill("a");
    time.advance(Runner.KILL_GRACE);
    assertThat(await(killed).stack()).contains("the future that it returned has not completed");
    never.complete("late");
    assertThat(await(run.result()).error()).contains("cancelled");
  }

  @Test
  void aCallThatWaitsForAThreadAndIsKilledIsNeverMade() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    offer(
        job -> {
          calls.incrementAndGet();
          go.await();
          return null;
        });
    Run first = await(start("a"));
    Future<Run> second = start("b");
    assertThat(await(kill("b")).outcome()).isEqualTo(Outcome.NOT_RUNNING);
    assertThatThrownBy(() -> await(second))
        .isInstanceOfSatisfying(
            RunException.class, e -> assertThat(e.kind()).isEqualTo(RunException.Kind.KILLED));
    go.countDown();
    assertThat(await(first.result()).succeeded()).isTrue();
    offer(job -> "next");
    assertThat(await(await(start("c")).result()).succeeded()).isTrue();
    assertThat(calls).as("b was not called when the thread was free").hasValue(1);
  }

  @Test
  void aRunThatHasEndedIsNotCalledAgain() {
    offer(job -> null);
    assertThat(await(await(start("a")).result()).succeeded()).isTrue();
    runner.acknowledge(new RunKey("a", 1));
    refuses("a", RunException.Kind.ALREADY_STARTED);
  }

  private void refuses(String job, RunException.Kind kind) {
    assertThatThrownBy(() -> await(start(job)))
        .isInstanceOfSatisfying(RunException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void aRunThatWasRefusedOrGrantedInAnEarlierTermIsNotCalled() {
    offer(job -> null);
    assertThat(runner.refuse(new RunKey("a", 1))).isTrue();
    refuses("a", RunException.Kind.REFUSED);
    int before = permits.term();
    permits.endTerm();
    HandlerCall call = new HandlerCall("work", Json.tree("x"), 1);
    RunRequest late =
        new RunRequest(new RunKey("b", 1), List.of(), Map.of(), 7, null, null, 0, "work", call);
    assertThatThrownBy(() -> await(runner.start(late, before)))
        .isInstanceOfSatisfying(
            RunException.class, e -> assertThat(e.kind()).isEqualTo(RunException.Kind.REFUSED));
  }

  @Test
  void aHandlerThatIsNotOfferedIsNoFailureOfItsRun() {
    refuses("a", RunException.Kind.NO_HANDLER);
  }

  @Test
  void callsThatTheirHostGivesUpAreLost() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    offer(
        job -> {
          try {
            new CountDownLatch(1).await();
          } finally {
            interrupted.countDown();
          }
          return null;
        });
    Run run = await(start("a"));
    Future<List<KillReport>> ends = runner.killAll("its host lost its session");
    time.advance(Duration.ofMillis(1));
    assertThat(await(ends)).extracting(KillReport::outcome).containsExactly(Outcome.TERMINATED);
    assertThat(interrupted.getCount()).isZero();
    RunResult result = await(run.result());
    assertThat(result.lost()).isTrue();
    assertThat(result.error()).contains("its host lost its session");
    assertThat(permits.term()).isEqualTo(1);
  }

  @Test
  void anInterruptDoesNotReachTheNextCallOnTheThread() throws Exception {
    offer(
        job -> {
          Thread.currentThread().interrupt();
          return null;
        });
    assertThat(await(await(start("a")).result()).succeeded()).isTrue();
    offer(job -> Thread.currentThread().isInterrupted());
    RunResult next = await(await(start("b")).result());
    assertThat(next.output().result().text()).isEqualTo("false");
  }

  @Test
  void anErrorOfTheCodeIsAFailureOfItsRun() {
    offer(
        job -> {
          throw new StackOverflowError("deep");
        });
    RunResult result = await(await(start("a")).result());
    assertThat(result.error()).contains("java.lang.StackOverflowError: deep");
    assertThat(result.retry()).isTrue();
  }

  @Test
  void aResultThatCannotBeWrittenFailsForGood() {
    Object deep = "x";
    for (int i = 0; i < 90; i++) {
      deep = List.of(deep);
    }
    Object returned = deep;
    offer(job -> returned);
    RunResult result = await(await(start("a")).result());
    assertThat(result.succeeded()).isFalse();
    assertThat(result.error().orElseThrow()).contains("the result of the job");
    assertThat(result.retry()).isFalse();
  }

  @Test
  void aRunTimeoutAsksTheCodeToEnd() {
    offer(job -> job.cancelled().map("ended"));
    Run run = await(start("a", Duration.ofMinutes(1)));
    time.advance(Duration.ofSeconds(59));
    assertThat(run.result().isComplete()).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(await(run.result()).error()).contains("its run timeout of PT1M has elapsed");
  }
}
