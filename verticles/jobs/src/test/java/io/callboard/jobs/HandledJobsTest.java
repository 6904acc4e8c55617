package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.codecs.CodecException;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.PermanentJobException;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobHost.HandlerSlots;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs that run in handlers of the program. */
class HandledJobsTest {
  private static final RetryPolicy AT_ONCE =
      new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(1));

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Path data;
  private Callboard callboard;
  private Jobs jobs;

  record Report(String customer, int year) {}

  record Pages(int written) {}

  @BeforeEach
  void start() throws Exception {
    data =
        Files.createDirectories(
            Path.of("target", "handled-jobs-test", UUID.randomUUID().toString()));
    open();
  }

  private void open() {
    callboard = nodes.open("h1");
    jobs =
        await(
            StartedParts.of(callboard, data, String.valueOf(data.getFileName()))
                .start(Jobs.part(JobsOptions.DEFAULT.slots(1))));
  }

  @AfterEach
  void stop() {
    await(jobs.close());
  }

  private Job submit(Object args) {
    return await(jobs.submit("report", args)).job();
  }

  private static JobSpec spec(Object args, RetryPolicy retry, JobTimeouts timeouts) {
    JobSpec plain = JobSpec.handler("report", args);
    return plain.withRetry(retry).withTimeouts(timeouts);
  }

  private Job becomes(Job job, JobState state) throws Exception {
    Eventually.assertThat(
        () -> {
          Job now = await(jobs.job(job.id()));
          assertThat(now.state()).as(now.toString()).isEqualTo(state);
        });
    return await(jobs.job(job.id()));
  }

  private List<String> events(Job job) {
    return await(jobs.events(job.id())).stream().map(JobEvent::what).toList();
  }

  @Test
  void aHandlerGetsItsArgumentsAndLeavesResultProgressAndLog() throws Exception {
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              job.log("begun for " + job.args().customer());
              job.progress("half\nof it");
              return new Pages(job.args().year() - 2000);
            }));
    Job job = becomes(submit(new Report("acme", 2026)), JobState.SUCCEEDED);
    assertThat(String.valueOf(job.result())).isEqualTo("{\"written\":26}");
    assertThat(String.valueOf(job.args())).isEqualTo("{\"customer\":\"acme\",\"year\":2026}");
    assertThat(job.runs())
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.exitCode()).as("a handler has none").isNull();
              assertThat(run.progress()).isEqualTo("half of it");
            });
    assertThat(await(jobs.logs().text(job.id(), null, null)).text()).isEqualTo("begun for acme\n");
    assertThat(events(job)).contains("run 1 succeeded", "succeeded");
    JobQuery acme = new JobQuery(null, null, null, null, "acme", false, 9, null);
    assertThat(await(jobs.list(acme)).items()).extracting(Job::args).containsExactly(job.args());
  }

  @Test
  void aHandlerMayReturnAFutureOrAStageOrNothing() throws Exception {
    Promise<Pages> promise = Promise.promise();
    await(jobs.handle("report", Report.class, job -> promise.future()));
    await(
        jobs.handle("stage", Report.class, job -> CompletableFuture.completedFuture(new Pages(2))));
    await(jobs.handle("nothing", Report.class, job -> null));
    Job first = submit(new Report("a", 1));
    becomes(first, JobState.RUNNING);
    promise.complete(new Pages(1));
    assertThat(String.valueOf(becomes(first, JobState.SUCCEEDED).result()))
        .isEqualTo("{\"written\":1}");
    Job second = await(jobs.submit("stage", new Report("b", 2))).job();
    assertThat(String.valueOf(becomes(second, JobState.SUCCEEDED).result()))
        .isEqualTo("{\"written\":2}");
    Job third = await(jobs.submit("nothing", new Report("c", 3))).job();
    assertThat(becomes(third, JobState.SUCCEEDED).result()).isNull();
  }

  @Test
  void aFailedRunIsRepeatedFromItsCheckpoint() throws Exception {
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              int done = job.checkpoint(Integer.class).orElse(0);
              if (done < 2) {
                job.checkpoint(done + 1);
                throw new IOException("attempt %d, run %d".formatted(job.attempt(), job.run()));
              }
              return done;
            }));
    Job job = await(jobs.submit(spec(new Report("a", 1), AT_ONCE, JobTimeouts.NONE))).job();
    assertThat(becomes(job, JobState.SUCCEEDED).result()).hasToString("2");
    assertThat(events(job))
        .contains(
            "run 1 failed: java.io.IOException: attempt 1, run 1",
            "run 2 failed: java.io.IOException: attempt 2, run 2");
    assertThat(await(jobs.logs().text(job.id(), 1, null)).text())
        .as("the stack is in its log")
        .contains("IOException: attempt 1", "\tat io.callboard.jobs.HandledJobsTest");
  }

  @Test
  void rulesSayWhichFailuresAreRetriedAndWhen() throws Exception {
    HandlerOptions rules =
        HandlerOptions.DEFAULT
            .failForGood(IllegalArgumentException.class)
            .retryAfter(IOException.class, Duration.ofHours(3));
    await(
        jobs.handle(
            "report",
            Report.class,
            rules,
            job -> {
              switch (job.args().customer()) {
                case "io" -> throw new IOException("busy");
                case "wrong" -> throw new NumberFormatException("no number");
                default -> throw new PermanentJobException("there is no such customer");
              }
            }));
    Job wrong = becomes(submit(new Report("wrong", 1)), JobState.DEAD);
    assertThat(wrong.error()).isEqualTo("run 1 failed: java.lang.NumberFormatException: no number");
    Job none = becomes(submit(new Report("none", 1)), JobState.DEAD);
    assertThat(none.error()).isEqualTo("run 1 failed: there is no such customer");
    Job busy = becomes(submit(new Report("io", 1)), JobState.RETRY_WAIT);
    assertThat(Duration.between(busy.createdAt(), busy.nextAttemptAt()))
        .isBetween(Duration.ofHours(3), Duration.ofHours(4));
  }

  @Test
  void argumentsThatDoNotFitAreRefusedWithTheirPlace() {
    await(jobs.handle("report", Report.class, job -> null));
    assertThatThrownBy(() -> submit(Map.of("customer", "a", "year", "soon")))
        .isInstanceOfSatisfying(
            JobException.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(Code.INVALID);
              assertThat(refused.pointer()).isEqualTo("/args/year");
            })
        .hasMessageContaining("the arguments of handler \"report\"");
    assertThatThrownBy(() -> submit(Map.of("customer", "a")))
        .isInstanceOfSatisfying(
            JobException.class, refused -> assertThat(refused.pointer()).startsWith("/args"))
        .hasMessageContaining("year");
  }

  @Test
  void argumentsAreCheckedAsTheHandlerWillReadThem() throws Exception {
    await(jobs.handle("report", Report.class, job -> job.args().year()));
    ObjectNode args = JsonNodeFactory.instance.objectNode().put("customer", "a");
    args.set("year", DecimalNode.valueOf(BigDecimal.valueOf(2026)));
    Job job = await(jobs.submit(JobSpec.process("report", List.of()).withArgs(args))).job();
    assertThat(becomes(job, JobState.SUCCEEDED).result()).hasToString("2026");
  }

  private void refuses(String pointer, String words, UnaryOperator<JobSpec> change) {
    JobSpec wrong = change.apply(JobSpec.process(JobType.PROCESS, List.of("true")));
    assertThatThrownBy(() -> await(jobs.submit(wrong)))
        .as(words)
        .isInstanceOfSatisfying(
            JobException.class,
            e -> {
              assertThat(e.code()).isEqualTo(Code.INVALID);
              assertThat(e.pointer()).isEqualTo(pointer);
            })
        .hasMessageContaining(words);
  }

  private static JobTimeouts queue(Duration time) {
    return new JobTimeouts(time, null, null);
  }

  @Test
  void aSpecificationIsCheckedWhoeverSubmitsIt() {
    refuses("/priority", "0 to 9, not 99", spec -> spec.withPriority(99));
    refuses("/priority", "0 to 9, not -1", spec -> spec.withPriority(-1));
    refuses("/onLost", "rerun, hold or fail, not \"bogus\"", spec -> spec.withOnLost("bogus"));
    refuses(
        "/timeouts/queue",
        "at most ten years, not PT-1S",
        spec -> spec.withTimeouts(queue(Duration.ofSeconds(-1))));
    refuses("/uniqueKey", "is blank", spec -> spec.withUniqueKey(""));
    refuses("/nice", "0 to 19, not 20", spec -> spec.withNice(20));
    refuses("/labels", "no label key", spec -> spec.withLabels(Map.of("a b", "c")));
    refuses("/labels/a", "has 201", spec -> spec.withLabels(Map.of("a", "x".repeat(201))));
    refuses("/requires", "no label key", spec -> spec.requiring(Map.of("\n", "c")));
    refuses(
        "/retry/attempts",
        "1 to 1000 attempts, not 0",
        spec -> spec.withRetry(new RetryPolicy(0, Duration.ZERO, Duration.ZERO)));
    for (Duration pause : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(3_651))) {
      String range = "more than zero and at most ten years, not " + pause;
      RetryPolicy usual = RetryPolicy.HANDLERS;
      refuses(
          "/retry/initial", range, spec -> spec.withRetry(new RetryPolicy(2, pause, usual.max())));
      refuses(
          "/retry/max", range, spec -> spec.withRetry(new RetryPolicy(2, usual.initial(), pause)));
      refuses("/timeouts/queue", range, spec -> spec.withTimeouts(queue(pause)));
      RetryPolicy ofType = new RetryPolicy(2, pause, usual.max());
      JobType type = new JobType("paused", JobType.PROCESS, 1, false, ofType);
      assertThatThrownBy(() -> await(jobs.putType(type))).hasMessageContaining(range);
    }
    refuses(
        "/retry/initial",
        "but PT2S exceeds PT1S",
        spec -> spec.withRetry(new RetryPolicy(2, Duration.ofSeconds(2), Duration.ofSeconds(1))));
    assertThatThrownBy(() -> JobSpec.handler("report", Map.of()).withOnLost(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("onLost is null: give rerun, hold or fail");
    for (String key : List.of("", " ", "a b", "käse", "k".repeat(201))) {
      assertThatThrownBy(() -> await(jobs.submit(JobSpec.handler("report", Map.of()), key)))
          .as(key)
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID))
          .hasMessageContaining("an idempotency key has 1 to 200 letters, digits and signs");
    }
    ObjectNode deep = JsonNodeFactory.instance.objectNode();
    ObjectNode at = deep;
    for (int level = 0; level < 85; level++) {
      at = at.putObject("a");
    }
    refuses(
        "/args",
        "nested deeper than 80 levels",
        spec -> JobSpec.process("report", List.of()).withArgs(deep));
    refuses("/command", "is missing", spec -> JobSpec.process(JobType.PROCESS, List.of()));
    refuses("/uniqueKey", "this has 201", spec -> spec.withUniqueKey("k".repeat(201)));
    String ofMessage = "source/inbox/" + "m".repeat(250) + "#1";
    JobSpec message = JobSpec.process(JobType.PROCESS, List.of("true")).withUniqueKey(ofMessage);
    Job accepted = await(jobs.submitMessage(message, ofMessage, "digest", null)).job();
    assertThat(accepted.uniqueKey())
        .as("ids of messages are bounded by their sources")
        .isEqualTo(ofMessage);
    JobSpec later = message.withPriority(99).withLabels(Map.of("title", "t".repeat(300)));
    assertThat(await(jobs.submitMessage(later, ofMessage, "digest", null)).job().id())
        .as("it was accepted, by other rules than those of now")
        .isEqualTo(accepted.id());
    JobSpec another = later.withPriority(5).withUniqueKey("source/inbox/n#1");
    assertThatThrownBy(() -> await(jobs.submitMessage(another, "source/inbox/n#1", "d", null)))
        .as("a long label would be in every record of the gate")
        .hasMessageContaining("has 300");
  }

  @Test
  void anAcceptedKeyIsFoundThoughTheHandlerCannotReadTheArgumentsAnyMore() {
    await(jobs.handle("report", Report.class, job -> job.args().year()));
    String key = "source/inbox/m#1";
    JobSpec fits = JobSpec.handler("report", new Report("acme", 1)).withUniqueKey(key);
    Job accepted = await(jobs.submitMessage(fits, key, "digest", null)).job();
    JobSpec misfit = JobSpec.handler("report", Map.of("year", "soon")).withUniqueKey(key);
    assertThat(await(jobs.submitMessage(misfit, key, "digest", null)).job().id())
        .as("as after an upgrade of the handler")
        .isEqualTo(accepted.id());
    JobSpec another = misfit.withUniqueKey("source/inbox/n#1");
    assertThatThrownBy(() -> await(jobs.submitMessage(another, "source/inbox/n#1", "d", null)))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.pointer()).startsWith("/args"));
  }

  @Test
  void aListHasShortArgumentsAndTheJobAloneHasAll() {
    await(jobs.handle("report", Report.class, job -> job.args().year()));
    Job brief = submit(new Report("acme", 1));
    Job wordy = submit(new Report("w".repeat(2_000), 2));
    assertThat(await(jobs.job(wordy.id())).args()).isEqualTo(wordy.args());
    JobQuery all = new JobQuery("report", null, null, null, null, true, 9, null);
    assertThat(await(jobs.list(all)).items())
        .extracting(Job::id, Job::args)
        .containsExactly(tuple(brief.id(), brief.args()), tuple(wordy.id(), null));
  }

  @Test
  void aSpecificationSuitsTheRunnerOfItsType() {
    await(jobs.handle("report", Report.class, job -> null));
    assertThatThrownBy(() -> await(jobs.submit(JobSpec.process("report", List.of("true")))))
        .hasMessage(
            "the jobs of type report run in the handler \"report\", which has no command: give args");
    assertThatThrownBy(() -> await(jobs.submit("process", new Report("a", 1))))
        .hasMessage("the jobs of type process are processes, which have no args: give a command");
  }

  @Test
  void aCancelledHandlerIsAskedToEndThenInterrupted() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              Future<Void> noted = job.cancelled().onSuccess(v -> asked.countDown());
              new CountDownLatch(1).await();
              return noted;
            }));
    Job job = submit(new Report("a", 1));
    becomes(job, JobState.RUNNING);
    Job unused = await(jobs.cancel(job.id()));
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(becomes(job, JobState.CANCELLED).runs().get(0).state()).isEqualTo("CANCELLED");
    assertThat(events(job)).contains("run 1 cancelled: cancelled", "cancelled");
  }

  @Test
  void aJobOfAHandlerWithoutSlotsNamesTheHostsThatHaveNone() throws Exception {
    await(
        jobs.handle(
            "report", Report.class, HandlerOptions.DEFAULT.slots(0), job -> job.args().year()));
    Job job = submit(new Report("a", 1));
    Eventually.assertThat(
        () ->
            assertThat(await(jobs.why(job.id())))
                .extracting(Blocked::kind, Blocked::detail)
                .containsExactly(
                    tuple(
                        "no-slot",
                        "there are no slots for the handler \"report\" on " + callboard.node())));
  }

  @Test
  void theSlotsOfAHandlerAreItsOwn() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    await(
        jobs.handle(
            "report",
            Report.class,
            HandlerOptions.DEFAULT.slots(1),
            job -> {
              go.await();
              return null;
            }));
    Job first = submit(new Report("a", 1));
    becomes(first, JobState.RUNNING);
    Job second = submit(new Report("b", 1));
    Eventually.assertThat(
        () ->
            assertThat(await(jobs.why(second.id())))
                .extracting(Blocked::kind, Blocked::detail)
                .containsExactly(
                    tuple(
                        "no-slot",
                        "all 1 slots for the handler \"report\" of 1 hosts are in use")));
    Job process = await(jobs.submit(JobSpec.process("process", List.of("true")))).job();
    becomes(process, JobState.SUCCEEDED);
    assertThat(await(jobs.hosts()).get(0).handlers())
        .isEqualTo(Map.of("report", new HandlerSlots(1, 1)));
    go.countDown();
    becomes(second, JobState.SUCCEEDED);
  }

  @Test
  void aJobWaitsForANodeThatOffersItsHandler() throws Exception {
    JobType type = JobType.ofHandler("report");
    assertThat(await(jobs.putType(type))).isEqualTo(type);
    Job job = submit(new Report("a", 1));
    Eventually.assertThat(
        () ->
            assertThat(await(jobs.why(job.id())))
                .extracting(Blocked::detail)
                .containsExactly("no host offers the handler \"report\""));
    await(jobs.handle("report", Report.class, run -> "done"));
    assertThat(becomes(job, JobState.SUCCEEDED).result()).hasToString("\"done\"");
  }

  @Test
  void aNodeThatStopsEndsItsHandlersAndTheNextRunsThemAgain() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              try {
                new CountDownLatch(1).await();
              } finally {
                ended.countDown();
              }
              return "never";
            }));
    Job job = submit(new Report("a", 1));
    becomes(job, JobState.RUNNING);
    await(jobs.close());
    assertThat(ended.getCount()).isZero();
    nodes.close(callboard);
    open();
    await(jobs.handle("report", Report.class, run -> run.run() + "/" + run.attempt()));
    Job done = becomes(job, JobState.SUCCEEDED);
    assertThat(done.result()).hasToString("\"2/1\"");
    assertThat(done.runs()).extracting(JobRun::state).containsExactly("LOST", "SUCCEEDED");
  }

  @Test
  void aRunTimeoutEndsAnAsynchronousHandlerThatWatchesForIt() throws Exception {
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> job.cancelled().compose(v -> Future.failedFuture("ended"))));
    JobTimeouts timeouts = new JobTimeouts(null, Duration.ofMillis(50), null);
    Job job = await(jobs.submit(spec(new Report("a", 1), RetryPolicy.ONCE, timeouts))).job();
    assertThat(becomes(job, JobState.DEAD).error())
        .isEqualTo("run 1 failed: its run timeout of PT0.05S has elapsed");
  }

  @Test
  void badHandlersAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.handle("a b", Report.class, job -> null))
        .withMessageContaining("is not a handler name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.handle(" ", Report.class, job -> null))
        .withMessageStartingWith("the handler name is empty: use up to 63 letters");
    for (Class<?> any : List.of(Object.class, Map.class, List.class, JsonObject.class)) {
      assertThatThrownBy(() -> jobs.handle("any", any, job -> null))
          .as(any.getName())
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("use a record")
          .hasMessageContaining("or a JsonNode for any JSON");
    }
    await(jobs.handle("any", JsonNode.class, job -> job.args().size()));
    HandlerOptions nowhere = HandlerOptions.DEFAULT.zone("job");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.handle("report", Report.class, nowhere, job -> null))
        .withMessageContaining("there is no scheduling zone \"job\"");
    assertThatThrownBy(() -> await(jobs.handle("process", Report.class, job -> null)))
        .hasMessage("the job type \"process\" is of processes: give the handler another name");
    await(jobs.handle("report", Report.class, job -> null));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jobs.handle("report", Report.class, job -> null))
        .withMessageContaining("offers a handler \"report\" already");
    JobType other = new JobType("report", JobType.PROCESS, 1, false, RetryPolicy.ONCE);
    assertThatThrownBy(() -> await(jobs.putType(other)))
        .hasMessage(
            "type report is of the handler \"report\", which does not change: create another type");
    JobType mixed =
        new JobType("process", JobType.PROCESS, 1, false, RetryPolicy.ONCE, null, null, "report");
    assertThatThrownBy(() -> await(jobs.putType(mixed)))
        .hasMessage(
            "type process is of processes, which have no handler: name another type, or leave the handler out");
    assertThatThrownBy(() -> await(jobs.submit("reprt", new Report("a", 1))))
        .hasMessageStartingWith("there is no job type \"reprt\": ")
        .hasMessageEndingWith("; did you mean \"report\"?");
  }

  @Test
  void aHandlerIsInterruptedAlsoWhenTheActorsOfItsNodeHaveClosedBefore() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> end = new CompletableFuture<>();
    await(
        jobs.handle(
            "report",
            Report.class,
            run -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                end.complete("interrupted");
              }
              return null;
            }));
    Job unused = submit(new Report("ann", 2026));
    Waits.opened(begun);
    await(callboard.close()); // as a node closes that a failure closes: its parts come after
    await(jobs.abandon());
    assertThat(end).isCompletedWithValue("interrupted");
    open();
  }

  @Test
  void aResultThatIsTooLargeIsNotKeptAndReported() throws Exception {
    await(jobs.handle("report", Report.class, job -> "x".repeat(70_000)));
    Job job = becomes(submit(new Report("a", 1)), JobState.SUCCEEDED);
    assertThat(job.result()).isNull();
    assertThat(await(jobs.job(job.id())).lacksResult())
        .isEqualTo("its result is not kept: it has more than 65,536 bytes as JSON");
    assertThat(events(job))
        .anyMatch(what -> what.contains("its result is not kept: it has more than 65,536 bytes"));
  }
}
