package io.callboard.workflows.internal.actor;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.Submission;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stillness;
import io.callboard.workflows.RecordedReports;
import io.callboard.workflows.internal.instance.RunStatus;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps that are jobs, which wait: their type is paused, and the queue takes one. */
class StepJobsTest {
  private static final String KEY = "workflow/i1/s/1";
  private static final Duration STRIDE = Duration.ofMinutes(5);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private final RecordedReports reports = new RecordedReports();
  private volatile @Nullable JobException refusal;
  private Callboard callboard;
  private Jobs jobs;
  private InstanceLife life;
  private StepJobs steps;

  /** What the instance was told. */
  record Ends(List<JobEnded> all) {}

  /** Instance that keeps what it is told. */
  static final class Instance extends DurableStateActor<JobEnded, Ends> {
    @Override
    protected Ends initial() {
      return new Ends(List.of());
    }

    @Override
    protected void protocol(Protocol<JobEnded> on) {
      on.message(
          JobEnded.class,
          end -> {
            List<JobEnded> all = new ArrayList<>(state().all());
            all.add(end);
            update(new Ends(all));
          });
    }
  }

  @BeforeEach
  void open() throws Exception {
    Path data =
        Files.createDirectories(Path.of("target", "step-jobs-test", "" + UUID.randomUUID()));
    callboard = nodes.open("n1", options -> options.time(time));
    jobs =
        await(
            StartedParts.of(callboard, data, "home")
                .start(Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(1))));
    await(jobs.pause("process"));
    InstanceLives lives = new InstanceLives(callboard);
    life = lives.begin("i1");
    steps = new StepJobs(callboard, lives, new Refusing(StepScheduler.of(jobs)), reports);
  }

  /** Scheduler that accepts no step while there is a refusal. */
  private final class Refusing implements StepScheduler {
    private final StepScheduler scheduler;

    Refusing(StepScheduler scheduler) {
      this.scheduler = scheduler;
    }

    @Override
    public Future<Submission> submitStep(JobSpec spec, String key, ActorRef<JobEnded> listener) {
      JobException why = refusal;
      return why == null ? scheduler.submitStep(spec, key, listener) : Future.failedFuture(why);
    }

    @Override
    public Future<Optional<Job>> accepted(String key) {
      return scheduler.accepted(key);
    }

    @Override
    public Future<Optional<Job>> holder(String key) {
      return scheduler.holder(key);
    }

    @Override
    public Future<Optional<JobEnded>> ended(String id) {
      return scheduler.ended(id);
    }

    @Override
    public Future<Job> cancel(String id) {
      return scheduler.cancel(id);
    }
  }

  @AfterEach
  void close() {
    await(jobs.close());
  }

  private StepRequest request() {
    return request(time.clock().instant());
  }

  private static StepRequest request(Instant readyAt) {
    ObjectNode with = JsonNodeFactory.instance.objectNode();
    with.putArray("command").add("true");
    return request(readyAt, "process", with);
  }

  private StepRequest ofType(String type, Instant readyAt) {
    return request(readyAt, "job", JsonNodeFactory.instance.objectNode().put("type", type));
  }

  private static StepRequest request(Instant readyAt, String run, ObjectNode with) {
    return new StepRequest(
        "i1",
        "d",
        "s",
        1,
        1,
        run,
        5,
        1,
        null,
        readyAt,
        "n1",
        JsonNodeFactory.instance.objectNode(),
        with,
        "i1/s",
        null,
        null,
        null,
        null);
  }

  private void becomes(RunStatus.Kind kind) {
    Eventually.assertThat(
        () ->
            assertThat(steps.status(request().key()))
                .isNotNull()
                .extracting(RunStatus::kind)
                .isEqualTo(kind));
  }

  private void fillTheQueue() {
    var unused = await(jobs.submit(JobSpec.process("process", List.of("true"))));
  }

  @Test
  void aCancelledStepWhoseJobWasNeverAcceptedEndsThoughTheQueueIsFull() {
    fillTheQueue();
    steps.reopen(life, request()); // a life before may have submitted it
    becomes(RunStatus.Kind.REFUSED);
    steps.cancel(life, request().key());
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(reports.done.get(request().key()))
              .isNotNull()
              .extracting(StepOutcome::kind)
              .isEqualTo(StepOutcome.Kind.CANCELLED);
        });
  }

  @Test
  void aCancelledStepCancelsTheJobThatALifeBeforeHasSubmitted() {
    steps.open(life, request());
    becomes(RunStatus.Kind.JOB);
    String job = steps.status(request().key()).by();
    steps.close(life, request().key());
    InstanceLives lives = new InstanceLives(callboard);
    StepJobs next = new StepJobs(callboard, lives, StepScheduler.of(jobs), reports);
    InstanceLife its = lives.begin("i1");
    next.reopen(its, request());
    next.cancel(its, request().key());
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(await(jobs.job(job)).state()).isEqualTo(JobState.CANCELLED);
        });
  }

  @Test
  void theEndOfAJobWithAnotherListenerIsAskedFor() {
    await(callboard.spawn(InstanceActor.path("i1"), Instance::new));
    ActorRef<JobEnded> other = callboard.durableRef(InstanceActor.path("i2"), JobEnded.class);
    String job = await(jobs.submitStep(StepJobs.spec(request(), KEY), KEY, other)).job().id();
    steps.open(life, request());
    becomes(RunStatus.Kind.JOB);
    await(jobs.cancel(job));
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(told()).extracting(JobEnded::job).containsExactly(job);
        });
    assertThat(told()).extracting(JobEnded::uniqueKey).containsExactly(KEY);
  }

  /** Its key may be over, and the end of its job among the mail, which closes the run. */
  @Test
  void aRunOfLongAgoIsSubmittedAfterTheMailOfItsInstance() {
    StepRequest old = request(time.clock().instant().minus(Jobs.KEYS_KEPT).minusSeconds(1));
    steps.reopen(life, old);
    becomes(RunStatus.Kind.REQUESTED);
    steps.close(life, old.key());
    time.advance(Duration.ofMinutes(1));
    fillTheQueue(); // had it been submitted, there was no room
    assertThat(await(jobs.accepted(KEY))).isEmpty();
  }

  @Test
  void aRunOfLongAgoWhoseEndIsNotAmongTheMailIsSubmitted() {
    StepRequest old = request(time.clock().instant().minus(Jobs.KEYS_KEPT).minusSeconds(1));
    steps.reopen(life, old);
    becomes(RunStatus.Kind.REQUESTED);
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(steps.status(old.key()).kind()).isEqualTo(RunStatus.Kind.JOB);
        });
  }

  private void passes(Duration all) {
    for (Duration gone = Duration.ZERO; gone.compareTo(all) < 0; gone = gone.plus(STRIDE)) {
      time.advance(STRIDE);
      Stillness.of(callboard).await();
    }
  }

  private static Instant toSecond(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  private void fails(StepRequest request) {
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(reports.done.get(request.key())).isNotNull();
        });
    StepOutcome outcome = reports.done.get(request.key());
    assertThat(outcome.kind()).isEqualTo(StepOutcome.Kind.FAILED);
    assertThat(outcome.retryable()).as("another attempt would wait as long").isFalse();
    assertThat(outcome.error())
        .startsWith("no node has made the type of its job within 24 h: ")
        .contains("there is no job type \"reprot\"", "Jobs.handle")
        .endsWith("; did you mean \"report\"?");
  }

  @Test
  void aStepWhoseTypeNoNodeMakesIsListedAndFailsAfterADay() {
    await(jobs.handle("report", JsonNode.class, run -> null));
    Duration waited = Duration.ofMinutes(23 * 60 + 40);
    StepRequest typo = ofType("reprot", time.clock().instant().minus(waited));
    steps.open(life, typo);
    becomes(RunStatus.Kind.REFUSED);
    passes(STRIDE);
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(steps.queues())
              .singleElement()
              .satisfies(
                  queue -> {
                    assertThat(queue.definition()).isEqualTo("d");
                    assertThat(queue.type()).isEqualTo("job:reprot");
                    assertThat(queue.waiting()).isOne();
                    assertThat(queue.oldest()).isBetween(waited.plus(STRIDE), StepJobs.TYPE_WITHIN);
                    assertThat(queue.why())
                        .contains("there is no job type \"reprot\"", "did you mean \"report\"?")
                        .endsWith(
                            "; it fails at %s if no node has made it"
                                .formatted(toSecond(typo.readyAt().plus(StepJobs.TYPE_WITHIN))));
                  });
        });
    assertThat(reports.done).isEmpty();
    passes(Duration.ofMinutes(10));
    assertThat(reports.done).isEmpty();
    passes(STRIDE);
    fails(typo);
  }

  @Test
  void aLifeThatBeginsAfterThatDayWaitsForTheNodesThatBeginWithIt() {
    await(jobs.handle("report", JsonNode.class, run -> null));
    StepRequest old = ofType("reprot", time.clock().instant().minus(StepJobs.TYPE_WITHIN));
    steps.reopen(life, old);
    becomes(RunStatus.Kind.REFUSED);
    passes(StepJobs.TYPE_WITHIN_LIFE.minus(STRIDE));
    assertThat(reports.done).isEmpty();
    fails(old);
  }

  @Test
  void aStepGoesOnWhenANodeHasMadeItsType() {
    StepRequest early = ofType("report", time.clock().instant());
    steps.open(life, early);
    becomes(RunStatus.Kind.REFUSED);
    assertThat(steps.queues()).hasSize(1);
    await(jobs.handle("report", JsonNode.class, run -> null));
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(steps.status(early.key()).kind()).isEqualTo(RunStatus.Kind.JOB);
        });
    assertThat(steps.queues()).isEmpty();
  }

  private void isRefused(StepRequest request, String why) {
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(steps.status(request.key()).why()).contains(why);
        });
  }

  /** Such as when the queue is full once the handler has come, or the scheduler is away. */
  @ParameterizedTest
  @EnumSource(names = {"OVERLOADED", "UNAVAILABLE"})
  void aStepThatIsRefusedForAnotherReasonWaitsForNoType(JobException.Code code) {
    await(jobs.handle("report", JsonNode.class, run -> null));
    StepRequest typo = ofType("reprot", time.clock().instant().minus(StepJobs.TYPE_WITHIN));
    steps.open(life, typo);
    becomes(RunStatus.Kind.REFUSED);
    assertThat(steps.queues()).hasSize(1);
    refusal = new JobException(code, "another reason");
    isRefused(typo, "another reason");
    assertThat(steps.queues()).isEmpty();
    passes(StepJobs.TYPE_WITHIN_LIFE.plus(STRIDE));
    refusal = null;
    isRefused(typo, "there is no job type \"reprot\"");
    assertThat(steps.queues()).hasSize(1);
    passes(StepJobs.TYPE_WITHIN_LIFE.minus(STRIDE));
    assertThat(reports.done).as("its nodes may begin with the scheduler").isEmpty();
    fails(typo);
  }

  private List<JobEnded> told() {
    return await(callboard.admin().stored(InstanceActor.path("i1")))
        .flatMap(stored -> stored.record().state(Ends.class))
        .map(Ends::all)
        .orElse(List.of());
  }
}
