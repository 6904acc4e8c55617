package io.callboard.jobs.internal.call;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobContext;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.handler.PermanentJobException;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.files.RunLog;
import io.callboard.jobs.internal.runner.KillReport;
import io.callboard.jobs.internal.runner.Run;
import io.callboard.jobs.internal.runner.RunException;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.internal.runner.RunRequest;
import io.callboard.jobs.internal.runner.RunRequest.HandlerCall;
import io.callboard.jobs.internal.runner.Runner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.jobs.model.JobSpec;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Misbehaviour of a handler, its zone and its log, none of which spoils a run or its host. */
class HandlerFlawsTest {
  private static final HandlerOptions NARROW = HandlerOptions.DEFAULT.zone("narrow");

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private Callboard callboard;
  private RunHome home;
  private HandlerRunner runner;

  record Args(String name) {}

  @BeforeEach
  void start() throws Exception {
    Path data =
        Files.createDirectories(
            Path.of("target", "handler-flaws-test", UUID.randomUUID().toString()));
    callboard =
        nodes.open("h1", options -> options.time(time).zone("narrow", ZoneOptions.fixed(1)));
    home = new RunHome(data, "home", callboard.bootId(), "h1");
    runner = new HandlerRunner(callboard, home, LogLimits.DEFAULT, new StartPermits());
  }

  private void offer(String name, HandlerOptions options, JobHandler<Args> code) {
    runner.offer(new OfferedHandler<>(name, Args.class, options, code));
  }

  private static RunKey key(int number) {
    return new RunKey("a" + number, 1);
  }

  private RunRequest request(int number, String handler, @Nullable Duration timeout) {
    return new RunRequest(
        key(number),
        List.of(),
        Map.of(),
        1,
        null,
        timeout,
        0,
        handler,
        new HandlerCall(handler, JobSpec.handler(handler, new Args("x")).args(), 1));
  }

  private Future<Run> start(int number, String handler) {
    return runner.start(request(number, handler, null), 0);
  }

  @Test
  void aCallbackThatThrowsKeepsNoOtherRunAlive() {
    offer(
        "throws",
        HandlerOptions.DEFAULT,
        run -> {
          Future<Void> unused =
              run.cancelled()
                  .onComplete(
                      done -> {
                        throw new IllegalStateException("a callback of the application");
                      });
          return run.cancelled();
        });
    Run first = await(start(1, "throws"));
    Run second = await(start(2, "throws"));
    List<KillReport> ends = await(runner.killAll("its node has lost its session"));
    assertThat(ends).extracting(KillReport::outcome).containsOnly(KillReport.Outcome.TERMINATED);
    assertThat(await(first.result()).lost()).isTrue();
    assertThat(await(second.result()).lost()).isTrue();
  }

  @Test
  void aCallbackThatBlocksDoesNotKeepTheKillerFromTheOtherRuns() {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    offer(
        "blocks",
        HandlerOptions.DEFAULT,
        run ->
            run.cancelled()
                .onComplete(
                    done -> {
                      asked.countDown();
                      Waits.opened(go);
                    }));
    Run first = await(start(1, "blocks"));
    CountDownLatch killed = new CountDownLatch(1);
    Thread killer =
        new Thread(
            () -> {
              Future<KillReport> unused = runner.kill(key(1), Duration.ofSeconds(10), "cancelled");
              killed.countDown();
            });
    killer.start();
    Waits.opened(asked);
    try {
      Eventually.assertThat(() -> assertThat(killed.getCount()).isZero());
    } finally {
      go.countDown();
    }
    assertThat(await(first.result()).error()).contains("cancelled");
  }

  @Test
  void aCallThatGetsNoThreadForItsCodeIsGivenBack() {
    CountDownLatch before = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    offer(
        "first",
        NARROW,
        run -> {
          before.await();
          return null;
        });
    offer(
        "blocks",
        NARROW,
        run -> {
          begun.countDown();
          go.await();
          return null;
        });
    Run unused = await(start(1, "first"));
    Future<Run> one = start(2, "blocks");
    Future<Run> two = start(3, "blocks");
    before.countDown(); // both actors get the thread to start, and then one of them keeps it
    Waits.opened(begun);
    try {
      int due = time.advance(HandlerRunner.NO_THREAD.multipliedBy(3));
      Eventually.assertThat(
          () ->
              assertThat(List.of(one, two))
                  .as("started, or given back after %s".formatted(HandlerRunner.NO_THREAD))
                  .allSatisfy(start -> assertThat(start.isComplete()).isTrue()));
      assertThat(Optional.ofNullable(one.cause()).or(() -> Optional.ofNullable(two.cause())))
          .hasValueSatisfying(
              cause ->
                  assertThat(((RunException) cause).kind())
                      .isEqualTo(RunException.Kind.NO_HANDLER));
    } finally {
      go.countDown();
    }
  }

  @Test
  void aCallThatIsKilledBeforeItBeginsLeavesNoActor() {
    CountDownLatch go = new CountDownLatch(1);
    offer(
        "blocks",
        NARROW,
        run -> {
          go.await();
          return null;
        });
    Run first = await(start(1, "blocks"));
    Future<Run> second = start(2, "blocks");
    KillReport killed = await(runner.kill(key(2), Duration.ofSeconds(10), "cancelled"));
    assertThat(killed.outcome()).isEqualTo(KillReport.Outcome.NOT_RUNNING);
    assertThatThrownBy(() -> await(second)).hasMessageContaining("cancelled");
    go.countDown();
    assertThat(await(first.result()).succeeded()).isTrue();
    Eventually.assertThat(
        () -> assertThat(await(callboard.admin().named("/jobs/call/", 10))).isEmpty());
  }

  @Test
  void aTimeoutBeyondTheRangeOfClocksIsNoTimeout() {
    offer("quick", HandlerOptions.DEFAULT, run -> "done");
    Run run = await(runner.start(request(1, "quick", Duration.ofSeconds(Long.MAX_VALUE)), 0));
    assertThat(await(run.result()).succeeded()).isTrue();
  }

  @Test
  void aResultThatFailsWithAnErrorEndsItsRun() {
    offer("broken", HandlerOptions.DEFAULT, run -> new Broken());
    Run run = await(start(1, "broken"));
    assertThat(await(run.result()).error())
        .hasValueSatisfying(why -> assertThat(why).contains("NoClassDefFoundError"));
  }

  @Test
  void aResultThatBlocksWhileItIsWrittenIsInterruptedAsTheCodeIs() {
    CountDownLatch writing = new CountDownLatch(1);
    offer("lazy", HandlerOptions.DEFAULT, run -> new Lazy(writing));
    Run run = await(start(1, "lazy"));
    Waits.opened(writing);
    Future<KillReport> killed = runner.kill(key(1), Runner.KILL_GRACE, "cancelled");
    time.advance(Runner.KILL_GRACE.dividedBy(2));
    assertThat(await(killed).outcome()).isEqualTo(KillReport.Outcome.TERMINATED);
    assertThat(await(run.result()).error()).contains("cancelled");
  }

  @Test
  void aRunTimeoutInterruptsAResultThatIsBeingWritten() {
    CountDownLatch writing = new CountDownLatch(1);
    offer("lazy", HandlerOptions.DEFAULT, run -> new Lazy(writing));
    Run run = await(runner.start(request(1, "lazy", Duration.ofMinutes(1)), 0));
    Waits.opened(writing);
    time.advance(Duration.ofSeconds(59));
    assertThat(run.result().isComplete()).isFalse();
    time.advance(Duration.ofSeconds(1));
    time.advance(Runner.KILL_GRACE);
    assertThat(await(run.result()).error()).contains("its run timeout of PT1M has elapsed");
  }

  @Test
  void aResultThatIgnoresInterruptsWhileItIsWrittenIsReportedWithItsStack() {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    offer("stubborn", HandlerOptions.DEFAULT, run -> new Stubborn(writing, go));
    Run run = await(start(1, "stubborn"));
    Waits.opened(writing);
    Future<KillReport> killed = runner.kill(key(1), Runner.KILL_GRACE, "cancelled");
    time.advance(Runner.KILL_GRACE);
    KillReport report = await(killed);
    assertThat(report.outcome()).isEqualTo(KillReport.Outcome.KILL_FAILED);
    assertThat(report.stack()).contains("Stubborn.written");
    assertThat(runner.live()).as("its slot is not free").containsExactly(key(1));
    assertThat(run.result().isComplete()).isFalse();
    go.countDown();
    assertThat(await(run.result()).error()).contains("cancelled");
    assertThat(runner.live()).isEmpty();
  }

  /** Result whose getter waits whether its thread is interrupted or not. */
  @SuppressWarnings("unused")
  private record Stubborn(@JsonIgnore CountDownLatch writing, @JsonIgnore CountDownLatch go) {
    @JsonProperty
    public int written() {
      writing.countDown();
      while (go.getCount() > 0) {
        try {
          go.await();
        } catch (InterruptedException e) {
          continue; // as code that ignores it
        }
      }
      return 1;
    }
  }

  /** Result whose getter waits until its thread is interrupted. */
  @SuppressWarnings("unused")
  private record Lazy(@JsonIgnore CountDownLatch writing) {
    @JsonProperty
    public int written() throws InterruptedException {
      writing.countDown();
      new CountDownLatch(1).await();
      return 1;
    }
  }

  @Test
  void theFutureOfAFutureIsAwaitedAndOneThatReportsNoEndIsRefused() {
    Promise<String> inner = Promise.promise();
    offer("nested", HandlerOptions.DEFAULT, run -> Future.succeededFuture(inner.future()));
    Run nested = await(start(1, "nested"));
    assertThat(nested.result().isComplete()).isFalse();
    inner.complete("late");
    assertThat(await(nested.result()).output().result().text()).isEqualTo("\"late\"");
    offer("silent", HandlerOptions.DEFAULT, run -> new FutureTask<>(() -> "never seen"));
    assertThat(await(await(start(2, "silent")).result()))
        .satisfies(
            end -> assertThat(end.retry()).as("it would be the same again").isFalse(),
            end ->
                assertThat(end.error())
                    .contains(
                        "it returned a java.util.concurrent.FutureTask, which reports no end: return its value, an io.vertx.core.Future or a CompletionStage"));
  }

  @Test
  void anEndlessResultIsCutOffAtTheLimit() {
    AtomicInteger written = new AtomicInteger();
    offer(
        "endless",
        HandlerOptions.DEFAULT,
        run -> Stream.generate(written::incrementAndGet).iterator());
    assertThat(await(await(start(1, "endless")).result()))
        .satisfies(
            end -> assertThat(end.succeeded()).isTrue(),
            end ->
                assertThat(end.output().lacksResult())
                    .contains("it has more than 65,536 bytes as JSON"));
    assertThat(written).hasValueLessThan(65_536);
  }

  @Test
  void argumentsThatThisVersionOfAHandlerCannotReadMayBeReadByAnother() {
    offer("strict", HandlerOptions.DEFAULT, run -> "never called");
    RunRequest older =
        new RunRequest(
            key(1),
            List.of(),
            Map.of(),
            1,
            null,
            null,
            0,
            "strict",
            new HandlerCall("strict", JsonNodeFactory.instance.objectNode(), 1));
    assertThatThrownBy(() -> await(runner.start(older, 0)))
        .isInstanceOfSatisfying(
            RunException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(RunException.Kind.MISFIT);
              assertThat(e.isFinal()).isFalse();
            })
        .hasMessageContaining("the arguments of handler \"strict\" cannot be read: \"name\"");
  }

  @Test
  void aFutureThatHoldsItselfFailsItsRunForGood() {
    Promise<Object> itself = Promise.promise();
    itself.complete(itself.future());
    offer("circle", HandlerOptions.DEFAULT, run -> itself.future());
    assertThat(await(await(start(1, "circle")).result()))
        .satisfies(
            end -> assertThat(end.retry()).isFalse(),
            end -> assertThat(end.error().orElse("")).contains("within more than 50 others"));
  }

  @Test
  void aRuleSeesTheFailureThroughAllExceptionsOfFutures() {
    offer(
        "wrapped",
        HandlerOptions.DEFAULT,
        run -> {
          throw new CompletionException(
              new ExecutionException(
                  new CompletionException(new PermanentJobException("no such customer"))));
        });
    assertThat(await(await(start(1, "wrapped")).result()))
        .satisfies(
            end -> assertThat(end.retry()).isFalse(),
            end -> assertThat(end.error()).contains("no such customer"));
  }

  /** Result whose getter fails with an error. */
  @SuppressWarnings("unused")
  static final class Broken {
    public int getWritten() {
      throw new NoClassDefFoundError("Pages");
    }
  }

  private String logOf(int number) throws Exception {
    Path file = home.log(key(number));
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void aFirstLineThatIsTooLongIsCounted() throws Exception {
    offer(
        "floods",
        HandlerOptions.DEFAULT,
        run -> {
          run.log("x".repeat(10 << 20));
          return null;
        });
    assertThat(await(await(start(1, "floods")).result()).succeeded()).isTrue();
    assertThat(logOf(1)).contains("1 lines left out");
  }

  @Test
  void aLoneSurrogateInALogLineKeepsTheOtherLines() throws Exception {
    offer(
        "cuts",
        HandlerOptions.DEFAULT,
        run -> {
          run.log("before");
          run.log("half: \ud83d");
          run.log("after");
          return null;
        });
    assertThat(await(await(start(1, "cuts")).result()).succeeded()).isTrue();
    assertThat(logOf(1)).contains("before", "half: ", "after");
  }

  @Test
  void aLineLoggedWhileTheLastOnesAreWrittenIsWritten() throws Exception {
    Vertx narrow = Vertx.vertx(new VertxOptions().setWorkerPoolSize(1));
    try {
      Context context = narrow.getOrCreateContext();
      CallLog log =
          new CallLog(
              context,
              home,
              request(1, "logs", null),
              new RunLog(home.log(key(1)), LogLimits.DEFAULT));
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch written = new CountDownLatch(1);
      CountDownLatch second = new CountDownLatch(1);
      context.runOnContext(
          v -> {
            log.line("first");
            first.countDown();
            Waits.opened(written); // so it learns of the end of the write after the second line
            log.line("second");
            second.countDown();
          });
      Waits.opened(first);
      CountDownLatch free = new CountDownLatch(1); // the only worker thread has ended the write
      Future<Void> unused =
          narrow.executeBlocking(
              () -> {
                free.countDown();
                return null;
              },
              false);
      Waits.opened(free);
      written.countDown();
      Waits.opened(second);
      await(log.written());
      assertThat(logOf(1)).isEqualTo("first\nsecond\n");
    } finally {
      await(narrow.close());
    }
  }

  @Test
  void linesThatComeTooFastAreCountedInTheLog() throws Exception {
    RunLog slow = new RunLog(home.log(key(1)), LogLimits.DEFAULT);
    Context writer = callboard.vertx().getOrCreateContext();
    CallLog log = new CallLog(writer, home, request(1, "logs", null), slow);
    String line = "x".repeat(100_000); // ten of them may wait, and ten more when these are taken
    synchronized (slow) {
      for (int i = 0; i < 40; i++) {
        log.line(line);
      }
    }
    await(log.written());
    Map<Boolean, List<String>> lines =
        logOf(1).lines().collect(Collectors.partitioningBy(each -> each.startsWith("x")));
    assertThat(lines.get(true)).hasSizeBetween(10, 20).containsOnly(line);
    int leftOut =
        lines.get(false).stream()
            .map(
                Pattern.compile("\\[callboard: (\\d+) lines left out, which came too fast]")
                    ::matcher)
            .peek(note -> assertThat(note.matches()).isTrue())
            .mapToInt(note -> Integer.parseInt(note.group(1)))
            .sum();
    assertThat(leftOut).isEqualTo(40 - lines.get(true).size());
  }

  @Test
  void logsThatAreWrittenSlowlyHoldOneWorkerThread() throws Exception {
    Vertx narrow = Vertx.vertx(new VertxOptions().setWorkerPoolSize(2));
    try {
      Context writer = narrow.getOrCreateContext();
      List<CallLog> logs = new ArrayList<>();
      RunLog slow = new RunLog(home.log(key(1)), LogLimits.DEFAULT);
      for (int number = 1; number <= 2; number++) {
        logs.add(new CallLog(writer, home, request(number, "logs", null), slow));
      }
      synchronized (slow) { // its size cannot be looked at
        logs.forEach(log -> log.line("line"));
        assertThat(await(narrow.executeBlocking(() -> "free", false))).isEqualTo("free");
      }
      for (CallLog log : logs) {
        await(log.written());
      }
      assertThat(logOf(1)).isEqualTo("line\nline\n");
    } finally {
      await(narrow.close());
    }
  }

  @Test
  void aLineLoggedAfterTheEndOfItsRunMakesNoFiles() throws Exception {
    Promise<JobContext<Args>> kept = Promise.promise();
    offer(
        "keeps",
        HandlerOptions.DEFAULT,
        run -> {
          kept.complete(run);
          return null;
        });
    assertThat(await(await(start(1, "keeps")).result()).succeeded()).isTrue();
    runner.acknowledge(key(1));
    kept.future().result().log("late");
    String unused = await(callboard.vertx().executeBlocking(() -> "later", false));
    Eventually.assertThat(() -> assertThat(Files.exists(home.control(key(1)))).isFalse());
  }
}
