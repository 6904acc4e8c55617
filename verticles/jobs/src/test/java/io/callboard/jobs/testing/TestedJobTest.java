package io.callboard.jobs.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.callboard.codecs.CodecException;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobContext;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.handler.PermanentJobException;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.testing.TestedJobOutcome.End;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The test kit of job handlers; what it decides are the rules of the node. */
class TestedJobTest {
  private static final TestedJob<Report> JOB = TestedJob.of(new Report("acme", 2026));

  record Report(String customer, int year) {}

  record Pages(int written) {}

  /** Result whose getter fails with an error, as that of a class which is not on the class path. */
  @SuppressWarnings("unused")
  static final class Broken {
    public int getWritten() {
      throw new NoClassDefFoundError("Pages");
    }
  }

  @Test
  void aRunHasWhatTheTestSays() {
    JobHandler<Report> tells =
        job ->
            List.of(
                job.args().customer(),
                job.job(),
                job.run(),
                job.attempt(),
                job.epoch(),
                job.checkpoint(Integer.class).orElse(0));
    assertThat(JOB.run(tells).result())
        .hasToString("Optional[[\"acme\",\"00000000-0000-0000-0000-000000000001\",1,1,1,0]]");
    assertThat(JOB.id("0a").attempt(2).run(5).epoch(7).checkpoint(3).run(tells).result())
        .hasToString("Optional[[\"acme\",\"0a\",5,2,7,3]]");
  }

  @Test
  void aResultIsTheReturnedValueOrThatOfItsFuture() {
    assertThat(JOB.run(job -> new Pages(2)).result(Pages.class)).contains(new Pages(2));
    assertThat(JOB.run(job -> Future.succeededFuture(new Pages(3))).result(Pages.class))
        .contains(new Pages(3));
    assertThat(JOB.run(job -> CompletableFuture.completedFuture("x")).result(String.class))
        .contains("x");
    TestedJobOutcome none = JOB.run(job -> null);
    assertThat(none.end()).isEqualTo(End.SUCCEEDED);
    assertThat(none.result()).isEmpty();
    assertThat(none.runsAgain()).isFalse();
  }

  @Test
  void aResultThatIsTooLargeIsNotKeptAndOneThatCannotBeWrittenFailsForGood() {
    TestedJobOutcome large = JOB.run(job -> "x".repeat(70_000));
    assertThat(large.end()).isEqualTo(End.SUCCEEDED);
    assertThat(large.result()).isEmpty();
    assertThat(large.note())
        .contains("its result is not kept: it has more than 65,536 bytes as JSON");
    Object nested = "x";
    for (int depth = 0; depth < 200; depth++) {
      nested = List.of(nested);
    }
    Object deep = nested;
    TestedJobOutcome unreadable = JOB.run(job -> deep);
    assertThat(unreadable.end()).isEqualTo(End.FAILED);
    assertThat(unreadable.error())
        .hasValueSatisfying(why -> assertThat(why).contains("the result of the job", "levels"));
    assertThat(unreadable.runsAgain()).isFalse();
    TestedJobOutcome broken = JOB.run(job -> new Broken());
    assertThat(broken.error())
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .contains("cannot be written as JSON", "NoClassDefFoundError: Pages"));
    assertThat(broken.runsAgain()).isFalse();
  }

  @Test
  void failuresAreRetriedByTheRulesOfTheHandler() {
    TestedJob<Report> ruled =
        JOB.options(
            HandlerOptions.DEFAULT
                .failForGood(IllegalArgumentException.class)
                .retryAfter(IOException.class, Duration.ofHours(3)));
    TestedJobOutcome busy = fails(ruled, new IOException("busy"));
    assertThat(busy.error()).contains("java.io.IOException: busy");
    assertThat(busy.failure()).containsInstanceOf(IOException.class);
    assertThat(busy.pause()).contains(Duration.ofHours(3));
    assertThat(busy).hasToString("FAILED: java.io.IOException: busy, runs again after PT3H");
    assertThat(fails(ruled, new NumberFormatException("x")).runsAgain()).isFalse();
    assertThat(fails(ruled, new PermanentJobException("no such customer")).error())
        .contains("no such customer");
    assertThat(fails(ruled, new PermanentJobException("no such customer")).runsAgain()).isFalse();
    assertThat(fails(ruled, new IllegalStateException("x")).pause())
        .as("that of the policy")
        .contains(Duration.ofSeconds(5));
    assertThat(fails(ruled.attempt(3), new StackOverflowError()).pause())
        .contains(Duration.ofSeconds(20));
    assertThat(
            ruled
                .run(
                    job ->
                        CompletableFuture.failedFuture(
                            new CompletionException(new IOException("late"))))
                .pause())
        .as("its cause counts")
        .contains(Duration.ofHours(3));
    assertThat(fails(ruled.attempt(10), new IOException("busy")).runsAgain())
        .as("after the last attempt")
        .isFalse();
    assertThat(fails(ruled.retry(RetryPolicy.ONCE), new IOException("busy")).runsAgain()).isFalse();
  }

  private static TestedJobOutcome fails(TestedJob<Report> job, Throwable with) {
    TestedJobOutcome outcome = job.run(run -> Future.failedFuture(with));
    assertThat(outcome.end()).isEqualTo(End.FAILED);
    return outcome;
  }

  @Test
  void theNextRunBeginsWhereTheLastOneWas() {
    JobHandler<Report> counts =
        job -> {
          int done = job.checkpoint(Integer.class).orElse(0);
          if (done == 2) {
            return "run %d, attempt %d, epoch %d".formatted(job.run(), job.attempt(), job.epoch());
          }
          job.checkpoint(done + 1);
          throw new IOException("busy");
        };
    TestedJobOutcome first = JOB.run(counts);
    assertThat(first.checkpoint(Integer.class)).contains(1);
    TestedJob<Report> next = JOB.after(first);
    TestedJobOutcome second = next.start(counts).outcome();
    TestedJobOutcome third = next.after(second).run(counts);
    assertThat(third.result(String.class)).contains("run 3, attempt 3, epoch 3");
    assertThat(third.checkpoint(Integer.class)).as("a success ends its use").isEmpty();
  }

  @Test
  void progressAndLogAreWhatPeopleSee() {
    TestedJobOutcome outcome =
        JOB.run(
            job -> {
              job.log("begun");
              job.progress("half\nof it");
              job.log("done");
              job.progress("x".repeat(600));
              return null;
            });
    assertThat(outcome.log()).containsExactly("begun", "done");
    assertThat(outcome.progress()).contains("x".repeat(500) + "…");
  }

  @Test
  void aRunIsEndedAtAnExactPoint() {
    JobHandler<Report> careful =
        job -> {
          for (int page = 1; !job.isCancelled(); page++) {
            job.checkpoint(page);
          }
          return "cut short";
        };
    TestedJob<Report> cancelled =
        JOB.onReport(
            run -> {
              if (run.progress().isEmpty()) {
                run.cancel();
              }
            });
    TestedJobOutcome outcome = cancelled.run(careful);
    assertThat(outcome.end()).isEqualTo(End.CANCELLED);
    assertThat(outcome.error()).contains("cancelled");
    assertThat(outcome.result()).as("what it returns then does not count").isEmpty();
    assertThat(outcome.checkpoint(Integer.class)).contains(1);
    assertThat(outcome.runsAgain()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> cancelled.after(outcome))
        .withMessage("the job does not run again after CANCELLED: cancelled");
  }

  @Test
  void aLostRunIsNoAttemptAndOneOverItsTimeIs() {
    TestedJob<Report> lost = JOB.onReport(TestedJobRun::lose);
    JobHandler<Report> reports =
        job -> {
          job.progress("begun");
          return job.attempt();
        };
    TestedJobOutcome loss = lost.run(reports);
    assertThat(loss.end()).isEqualTo(End.LOST);
    assertThat(loss.pause()).contains(Duration.ZERO);
    JobHandler<Report> where = job -> List.of(job.run(), job.attempt(), job.epoch());
    assertThat(lost.after(loss).run(where).result()).hasToString("Optional[[2,1,2]]");
    TestedJob<Report> late = JOB.onReport(TestedJobRun::timeOut);
    TestedJobOutcome timeout = late.run(reports);
    assertThat(timeout.end()).isEqualTo(End.FAILED);
    assertThat(timeout.error()).contains("its run timeout has elapsed");
    assertThat(timeout.pause()).contains(Duration.ofSeconds(5));
    assertThat(late.after(timeout).run(where).result()).hasToString("Optional[[2,2,2]]");
  }

  @Test
  void aBlockedHandlerIsInterruptedAfterItWasAskedToEnd() {
    CountDownLatch begun = new CountDownLatch(1);
    TestedJobRun<Report> run =
        JOB.start(
            job -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return null;
            });
    Waits.opened(begun);
    assertThatIllegalStateException()
        .isThrownBy(run::interrupt)
        .withMessageContaining("cancel, timeOut or lose it first");
    run.cancel();
    run.lose();
    run.interrupt();
    assertThat(run.outcome().end()).as("the first counts").isEqualTo(End.CANCELLED);
    assertThatIllegalStateException()
        .isThrownBy(run::interrupt)
        .withMessageContaining("the handler has returned");
  }

  @Test
  void aHandlerThatDoesNotEndFailsItsTestWithItsStack() {
    CountDownLatch go = new CountDownLatch(1);
    TestedJobRun<Report> blocked =
        JOB.within(Duration.ofMillis(20))
            .start(
                job -> {
                  go.await();
                  return null;
                });
    blocked.cancel();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(blocked::outcome)
        .withMessageContaining("not ended within PT0.02S though it was asked to end (cancelled)")
        .withMessageContaining("TestedJobTest");
    go.countDown();
    Promise<String> never = Promise.promise();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> JOB.within(Duration.ofMillis(20)).run(job -> never.future()))
        .withMessageContaining("the future that it returned has not completed");
  }

  @Test
  void misuseIsRefused() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> TestedJob.of(Report.class, Map.of("customer", "a", "year", "soon")))
        .satisfies(e -> assertThat(e.pointer()).isEqualTo("/year"));
    assertThat(TestedJob.of(Report.class, Map.of("customer", "a", "year", 1)).run(JobContext::args))
        .extracting(outcome -> outcome.result(Report.class))
        .isEqualTo(Optional.of(new Report("a", 1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JOB.attempt(11))
        .withMessage("the attempts of this job are 1 to 10, not 11");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JOB.attempt(3).run(2))
        .withMessage("attempt 3 is run 3 or a later one, not run 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JOB.checkpoint("x".repeat(70_000)))
        .withMessageContaining("the checkpoint has more than 65,536 bytes as JSON");
    TestedJobOutcome large =
        JOB.run(
            job -> {
              job.checkpoint("x".repeat(70_000));
              return null;
            });
    assertThat(large.failure()).containsInstanceOf(IllegalArgumentException.class);
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> JOB.run(job -> "text").result(Pages.class));
    assertThat(JOB.checkpoint("text").run(job -> job.checkpoint(Pages.class)).failure())
        .containsInstanceOf(CodecException.class);
  }
}
