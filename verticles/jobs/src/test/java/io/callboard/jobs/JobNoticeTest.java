package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.idle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.Submission;
import io.callboard.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a job, told to a durable actor of a user, with real processes. */
class JobNoticeTest extends JobsOfOneNode {
  private ActorRef<JobEnded> listener;

  /** Protocol of the listener, to which the notice of a job is foreign. */
  sealed interface Listening {
    record Ended(JobEnded end) implements Listening {}

    record Ask() implements Listening {}
  }

  record Ends(List<JobEnded> all) {}

  /** Keeps all that it is told. */
  static final class Listener extends DurableStateActor<Listening, Ends> {
    static final String PATH = "/listener";

    @Override
    protected Ends initial() {
      return new Ends(List.of());
    }

    @Override
    protected void protocol(Protocol<Listening> on) {
      on.message(
              Listening.Ended.class,
              told -> {
                List<JobEnded> all = new ArrayList<>(state().all());
                all.add(told.end());
                update(new Ends(all));
              })
          .query(Listening.Ask.class, ask -> state())
          .adapt(JobEnded.class, Listening.Ended::new);
    }
  }

  @BeforeEach
  void listen() {
    await(callboard.spawn(Listener.PATH, Listener::new));
    listener = callboard.durableRef(Listener.PATH, JobEnded.class);
  }

  private List<JobEnded> told() {
    return await(
            callboard
                .durableRef(Listener.PATH, Listening.class)
                .ask(new Listening.Ask(), Ends.class, Duration.ofSeconds(10)))
        .all();
  }

  private List<JobEnded> told(int number) {
    Eventually.assertThat(() -> assertThat(told()).hasSize(number));
    return told();
  }

  private static JobSpec step(@Nullable String uniqueKey, String... command) {
    return JobSpec.process("process", List.of(command))
        .withUniqueKey(uniqueKey)
        .withRetry(RetryPolicy.ONCE);
  }

  @Test
  void theEndOfARepeatedSubmissionIsReportedOnce() throws Exception {
    JobSpec step =
        step("workflow/1/ocr/1", "sh", "-c", "echo '{\"n\":1}' > $CALLBOARD_RESULT_FILE");
    await(jobs.pause("process"));
    Submission first = await(jobs.submitStep(step, "workflow/1/ocr/1", listener));
    Submission again = await(jobs.submitStep(step, "workflow/1/ocr/1", listener));
    Submission byUniqueKey = await(jobs.submitStep(step, null, listener));
    assertThat(List.of(first.existing(), again.existing(), byUniqueKey.existing()))
        .containsExactly(false, true, true);
    for (Submission each : List.of(first, again, byUniqueKey)) {
      assertThat(each.job().id()).isEqualTo(first.job().id());
      assertThat(each.notifies()).isTrue();
    }
    await(jobs.resume("process"));
    JobEnded end = told(1).get(0);
    assertThat(end.job()).isEqualTo(first.job().id());
    assertThat(end.uniqueKey()).isEqualTo("workflow/1/ocr/1");
    assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(end.result().path("n").asInt()).isEqualTo(1);

    Submission late = await(jobs.submitStep(step, "workflow/1/ocr/1", listener));
    assertThat(late.existing()).isTrue();
    assertThat(late.job().id()).isEqualTo(first.job().id());
    assertThat(late.job().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(late.notifies()).as("it was told").isTrue();
  }

  @Test
  void theEndOfAJobThatIsRunAgainIsReportedOnceMore() throws Exception {
    String id = await(jobs.submit(step("nightly", "true"), "nightly", listener)).job().id();
    assertThat(told(1)).extracting(JobEnded::runId).containsExactly(1);
    await(jobs.rerun(id));
    assertThat(told(2)).extracting(JobEnded::runId).containsExactly(1, 2);
  }

  /** A job under such a key would be taken for that of the step, and its end be told to nobody. */
  @Test
  void keysOfStepsAndOfMessagesOfSourcesAreReserved() {
    for (String key : List.of("workflow/1/ocr/1", "source/in/m#1")) {
      String prefix = key.substring(0, key.indexOf('/') + 1);
      assertThatThrownBy(() -> await(jobs.submit(step(key, "true"))))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID))
          .hasMessageContaining("the unique key \"" + key + "\" begins with " + prefix);
      assertThatThrownBy(() -> await(jobs.submit(step(null, "true"), key, listener)))
          .hasMessageContaining("the idempotency key \"" + key + "\" begins with " + prefix);
    }
    JobSpec ofMessage = step("source/in/m#1", "true");
    assertThatThrownBy(() -> await(jobs.submitStep(ofMessage, "workflow/1/ocr/1", listener)))
        .hasMessageContaining("source/");
    assertThat(await(jobs.submitMessage(ofMessage, "source/in/m#1", "d", null)).existing())
        .isFalse();
  }

  @Test
  void aResultThatIsNotKeptEndsItsJobWithTheReason() throws Exception {
    String large = "head -c 70000 /dev/zero | tr '\\0' x > $CALLBOARD_RESULT_FILE";
    String link = "ln -s /etc/hostname $CALLBOARD_RESULT_FILE";
    Submission first = await(jobs.submit(step(null, "sh", "-c", large), null, listener));
    JobEnded end = told(1).get(0);
    assertThat(end.state()).as("its command has").isEqualTo(JobState.SUCCEEDED);
    assertThat(end.result()).isNull();
    assertThat(end.lacksResult())
        .isEqualTo("its file result is not kept: it has more than 65536 bytes");
    await(jobs.submit(step(null, "sh", "-c", link), null, listener));
    assertThat(told(2).get(1).lacksResult()).contains("is a link");
    await(jobs.rerun(first.job().id()));
    assertThat(told(3).get(2).lacksResult()).contains("more than 65536 bytes");
  }

  @Test
  void aResultThatNobodyCouldReadEndsItsJobWithTheReason() throws Exception {
    String deep = "printf '%s' '" + "[".repeat(90) + "]".repeat(90) + "' > $CALLBOARD_RESULT_FILE";
    Submission job = await(jobs.submit(step(null, "sh", "-c", deep), null, listener));
    JobEnded end = told(1).get(0);
    assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(end.runId()).isEqualTo(1);
    assertThat(end.lacksResult()).contains("nested deeper than");
    assertThat(await(jobs.job(job.job().id())).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aJobDoesNotNotifyALaterSubmitterThatFindsIt() throws Exception {
    await(jobs.pause("process"));
    Job others = await(jobs.submit(step("only", "true"))).job();
    Submission found = await(jobs.submit(step("only", "true"), null, listener));
    assertThat(found.existing()).isTrue();
    assertThat(found.job().id()).isEqualTo(others.id());
    assertThat(found.notifies()).isFalse();
    await(jobs.cancel(others.id()));
    Submission own = await(jobs.submit(step("only", "true"), null, listener));
    assertThat(own.existing()).isFalse();
    await(jobs.cancel(own.job().id()));
    assertThat(told(1)).extracting(JobEnded::job).containsExactly(own.job().id());
  }

  @Test
  void aVolatileActorIsRefused() throws Exception {
    ActorRef<JobEnded> passing = await(callboard.spawn("/passing", idle(JobEnded.class)));
    assertThatThrownBy(() -> await(jobs.submit(step(null, "true"), null, passing)))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID))
        .hasMessageContaining("/passing, is volatile");
  }

  @Test
  void aSpecificationThatIsTooLargeIsRefused() throws Exception {
    String key = "source/in/m#1"; // a command of users is smaller
    JobSpec larger = step(null, "true", "x".repeat(JobSpec.MOST_BYTES));
    assertThatThrownBy(() -> await(jobs.submitMessage(larger, key, "digest", null)))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID))
        .hasMessageContaining("bytes as JSON; the limit is 524,288");
    JobSpec largest = step(null, "true", "x".repeat(520_000));
    assertThat(await(jobs.submitMessage(largest, key, "digest", null)).existing()).isFalse();
  }
}
