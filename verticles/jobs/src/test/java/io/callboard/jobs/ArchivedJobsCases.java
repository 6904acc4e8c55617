package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.archive.Archive;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobPage;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.Submission;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real jobs whose records go to a database as soon as they have ended, for any database. */
abstract class ArchivedJobsCases {
  private static final Duration PASSES = Duration.ofMillis(100);
  private static final Duration LISTS_PAUSE = Duration.ofMillis(500);

  /** Nothing that the database has stays in ZooKeeper. */
  private static final JobRetention NONE = JobRetention.DEFAULT.recent(0, Duration.ZERO);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Vertx vertx = Vertx.vertx();
  private Archive archive;
  private FaultyHistory history;
  private Callboard callboard;
  private Jobs jobs;
  private Path data;

  /** Returns the URL of an empty database or schema of that name. */
  abstract String url(String name) throws Exception;

  @BeforeEach
  void start(TestInfo test) throws Exception {
    archive = await(Archive.open(vertx, url(test.getTestMethod().orElseThrow().getName())));
    history = new FaultyHistory(archive.jobs());
    data = Files.createDirectories(Path.of("target", "jobs-test", UUID.randomUUID().toString()));
    callboard = nodes.open("h1");
    jobs = open(callboard, history, 4);
  }

  private Jobs open(Callboard node, FaultyHistory with, int slots) {
    return open(node, with, slots, NONE);
  }

  private Jobs open(Callboard node, FaultyHistory with, int slots, JobRetention retention) {
    String home = String.valueOf(data.getFileName());
    JobsOptions options =
        JobsOptions.DEFAULT.slots(slots).queueLimit(50).retention(retention.every(PASSES));
    RunHome its = new RunHome(data, home, node.bootId(), node.node());
    return await(Jobs.start(node, its, options, with, LISTS_PAUSE));
  }

  @AfterEach
  void stop() {
    await(jobs.close());
    nodes.close();
    await(archive.close());
    await(vertx.close());
  }

  private Job submit(String... command) {
    return submit(JobSpec.process("process", List.of(command)), null);
  }

  private Job submit(JobSpec spec, @Nullable String key) {
    return await(jobs.submit(spec, key)).job();
  }

  private static JobSpec spec(@Nullable String uniqueKey, Map<String, String> labels) {
    JobSpec plain = JobSpec.process("process", List.of("sh", "-c", "echo out"));
    return plain.withEnv(Map.of()).withUniqueKey(uniqueKey).withLabels(labels);
  }

  private List<String> records() {
    List<String> ids = new ArrayList<>();
    await(
        callboard
            .admin()
            .stored(
                ActorPath.of(JobActor.PREFIX),
                page ->
                    page.readable().stream()
                        .filter(
                            job ->
                                job.record()
                                    .state(JobActor.Slot.class)
                                    .map(JobActor.Slot::job)
                                    .isPresent())
                        .forEach(job -> ids.add(job.path().name()))));
    return ids;
  }

  /** Waits until only the database has the job. */
  private Job archived(Job job) {
    Eventually.assertThat(() -> assertThat(records()).doesNotContain(job.id()));
    return await(jobs.job(job.id()));
  }

  private static JobQuery query(@Nullable JobState state, int limit, @Nullable String cursor) {
    return new JobQuery(null, state, null, null, null, false, limit, cursor);
  }

  private static void fails(Future<?> future, Code code, String message) {
    assertThatThrownBy(() -> await(future))
        .isInstanceOfSatisfying(JobException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void anEndedJobIsReadAsBeforeThoughZooKeeperHasNothingOfIt() {
    Job job = archived(submit("sh", "-c", "echo one; echo two; exit 3"));
    assertThat(job.state()).isEqualTo(JobState.DEAD);
    assertThat(job.error()).contains("exit code 3");
    assertThat(job.runs()).extracting(JobRun::exitCode).containsExactly(3);
    assertThat(await(jobs.events(job.id()))).extracting(JobEvent::what).startsWith("submitted");
    assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly("ended");
    assertThat(await(jobs.logs().text(job.id(), null, 1)).text()).isEqualTo("two\n");
    fails(jobs.cancel(job.id()), Code.ILLEGAL_STATE, "is DEAD and cannot be cancelled");
    fails(jobs.hold(job.id()), Code.ILLEGAL_STATE, "cannot be held");
    fails(jobs.release(job.id()), Code.ILLEGAL_STATE, "cannot be released");
    assertThat(jobs.counts().byState()).isEmpty();
  }

  @Test
  void theEndOfALogIsReadFromTheDatabaseWhenTheFilesAreGone() throws Exception {
    Job job = archived(submit("sh", "-c", "echo one; echo two; echo three"));
    try (Stream<Path> files = Files.walk(data.resolve("control").resolve(job.id()))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    JobLog log = await(jobs.logs().text(job.id(), null, 2));
    assertThat(log.text()).isEqualTo("two\nthree\n");
    assertThat(log.complete()).isTrue();
    assertThat(await(jobs.logs().text(job.id(), 1, null)).text()).isEqualTo("one\ntwo\nthree\n");
    byte[] part = await(jobs.logs().part(job.id(), 1, 4, 3)).bytes();
    assertThat(new String(part, StandardCharsets.UTF_8)).isEqualTo("two");
  }

  @Test
  void aListHasLiveAndArchivedJobsUnderOneCursor() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Job job = submit(i % 2 == 0 ? "true" : "false");
      all.add(job.id());
      if (i == 3) {
        archived(job);
        await(jobs.pause("process"));
      }
    }
    Eventually.assertThat(() -> assertThat(records()).hasSize(3));
    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      JobPage page = await(jobs.list(query(null, 2, cursor)));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
      assertThat(page.partial()).isFalse();
      page.items().forEach(job -> seen.add(job.id()));
      cursor = page.next();
    } while (cursor != null);
    assertThat(seen)
        .containsExactlyElementsOf(all.stream().sorted(Comparator.reverseOrder()).toList());
    assertThat(await(jobs.list(query(JobState.DEAD, 9, null))).items())
        .extracting(Job::id)
        .containsExactly(all.get(3), all.get(1));
    assertThat(await(jobs.list(query(JobState.QUEUED, 9, null))).items()).hasSize(3);
    fails(jobs.list(query(null, 9, "x")), Code.INVALID, "\"x\" is not a cursor of this list");
  }

  @Test
  void aRowThatCannotBeReadHidesNoOther() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      all.add(archived(submit("true")).id());
    }
    history.unreadable = Set.of(all.get(0), all.get(4), all.get(6));
    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      JobPage page = await(jobs.list(query(null, 2, cursor)));
      assertThat(page.partial()).isFalse();
      page.items().forEach(job -> seen.add(job.id()));
      cursor = page.next();
    } while (cursor != null);
    assertThat(seen).containsExactly(all.get(5), all.get(3), all.get(2), all.get(1));
    history.unreadable = Set.copyOf(all);
    assertThat(await(jobs.list(query(null, 2, null))).partial())
        .as("of a full page nothing says where the next begins")
        .isTrue();
  }

  @Test
  void anArchivedJobRunsAgainUnderItsIdWithTheNextRunId() {
    Job job = archived(submit(spec("only", Map.of("team", "a")), null));
    await(jobs.pause("process"));
    assertThat(await(jobs.rerun(job.id())).state()).isEqualTo(JobState.QUEUED);
    assertThat(await(jobs.list(query(JobState.SUCCEEDED, 9, null))).items())
        .as("it has not ended")
        .isEmpty();
    assertThat(submit(spec("only", Map.of()), null).id())
        .as("it holds its key")
        .isEqualTo(job.id());
    await(jobs.resume("process"));
    Eventually.assertThat(
        () -> assertThat(await(jobs.job(job.id())).state()).isEqualTo(JobState.SUCCEEDED));
    Job again = archived(job);
    assertThat(again.runs()).extracting(JobRun::runId).containsExactly(1, 2);
    assertThat(again.version()).isGreaterThan(job.version());
    assertThat(again.labels()).containsEntry("team", "a");
  }

  /** Arguments of a handler. */
  record Report(String customer, int year) {}

  @Test
  void anArchivedJobOfAHandlerRunsAgainWithItsArguments() {
    await(jobs.handle("report", Report.class, run -> run.args().year() + "/" + run.run()));
    Job job = archived(submit(JobSpec.handler("report", new Report("acme", 2026)), null));
    assertThat(job.args()).isEqualTo(Json.tree(new Report("acme", 2026)));
    assertThat(job.result()).hasToString("\"2026/1\"");
    JobQuery acme = new JobQuery(null, null, null, null, "acme", false, 9, null);
    assertThat(await(jobs.list(acme)).items()).extracting(Job::args).containsExactly(job.args());
    assertThat(await(jobs.rerun(job.id())).state().terminal()).isFalse();
    Eventually.assertThat(
        () -> assertThat(await(jobs.job(job.id())).state()).isEqualTo(JobState.SUCCEEDED));
    Job again = archived(job);
    assertThat(again.result()).hasToString("\"2026/2\"");
    assertThat(again.args()).isEqualTo(job.args());
    assertThat(again.runs()).extracting(JobRun::runId).containsExactly(1, 2);
  }

  @Test
  void anArchivedJobIsDeletedForGood() {
    Job job = archived(submit(spec(null, Map.of()), "key"));
    assertThat(await(jobs.delete(job.id())).id()).isEqualTo(job.id());
    fails(jobs.job(job.id()), Code.NOT_FOUND, "there is no job");
    assertThat(await(jobs.list(query(null, 9, null))).items()).isEmpty();
    Eventually.assertThat(
        () -> assertThat(data.resolve("control").resolve(job.id())).doesNotExist());
    fails(jobs.submit(spec(null, Map.of()), "key"), Code.ILLEGAL_STATE, "which was deleted");
    fails(jobs.rerun(job.id()), Code.NOT_FOUND, "there is no job");
  }

  @Test
  void anIdempotencyKeyFindsAnArchivedJobAndItsUniqueKeyIsFree() {
    Job keyed = archived(submit(spec("only", Map.of()), "key"));
    Submission repeated = await(jobs.submit(spec("only", Map.of()), "key"));
    assertThat(repeated.existing()).isTrue();
    assertThat(repeated.job().id()).isEqualTo(keyed.id());
    assertThat(submit(spec("only", Map.of()), null).id()).isNotEqualTo(keyed.id());
  }

  @Test
  void aDatabaseThatIsAwayCostsNothingButRoom() {
    Job before = archived(submit("true"));
    history.away = true;
    List<Job> meanwhile = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      meanwhile.add(submit("true"));
    }
    Eventually.assertThat(
        () -> {
          assertThat(jobs.archive()).isPresent();
          assertThat(jobs.archive().orElseThrow().waiting()).isEqualTo(12);
          assertThat(jobs.archive().orElseThrow().awaySince()).isNotNull();
          assertThat(jobs.archive().orElseThrow().cause()).contains("the database is away");
        });
    assertThat(records()).hasSize(12);
    JobPage partial = await(jobs.list(query(null, 50, null)));
    assertThat(partial.partial()).isTrue();
    assertThat(partial.items()).hasSize(12);
    fails(jobs.job(before.id()), Code.UNAVAILABLE, "does not answer");
    history.away = false;
    Eventually.assertThat(() -> assertThat(records()).isEmpty());
    Eventually.assertThat(() -> assertThat(jobs.archive().orElseThrow().awaySince()).isNull());
    for (Job job : meanwhile) {
      assertThat(await(jobs.job(job.id())).state()).isEqualTo(JobState.SUCCEEDED);
    }
    Eventually.assertThat(
        () -> {
          JobPage page = await(jobs.list(query(null, 50, null)));
          assertThat(page.partial()).isFalse();
          assertThat(page.items()).hasSize(13);
        });
  }

  @Test
  void aJobThatIsDeletedWhileItsRowIsWrittenLeavesNoRow() {
    await(jobs.pause("process"));
    Job job = submit("true");
    history.before = () -> jobs.delete(job.id());
    await(jobs.cancel(job.id()));
    Eventually.assertThat(() -> assertThat(history.writes).hasValue(1));
    Eventually.assertThat(() -> assertThat(await(archive.jobs().find(job.id()))).isEmpty());
    fails(jobs.job(job.id()), Code.NOT_FOUND, "there is no job");
  }

  private Optional<String> row(Job job) {
    return await(archive.jobs().find(job.id()));
  }

  private void isDeletedForAll(Job job) {
    fails(jobs.job(job.id()), Code.NOT_FOUND, "there is no job");
    fails(jobs.rerun(job.id()), Code.NOT_FOUND, "there is no job");
    fails(jobs.delete(job.id()), Code.NOT_FOUND, "there is no job");
    assertThat(await(jobs.list(query(null, 9, null))).items()).isEmpty();
  }

  @Test
  void aDeletionThatItsNodeDidNotCompleteIsCompletedByTheNext() {
    Job job = archived(submit("true"));
    history.keepsAll = true; // as if the node had been killed between tombstone and row
    JobData known =
        Json.read(
            "the row", row(job).orElseThrow().getBytes(StandardCharsets.UTF_8), JobData.class);
    await(
        callboard
            .durableRef(JobActor.path(job.id()), JobCommand.class)
            .ask(new JobCommand.DeleteArchived(known, Instant.now()), JobAnswer.Is.class));
    Eventually.assertThat(() -> isDeletedForAll(job));
    assertThat(row(job)).as("half deleted").isPresent();

    await(jobs.close());
    nodes.close(callboard);
    callboard = nodes.open("h2");
    FaultyHistory healthy = new FaultyHistory(archive.jobs());
    jobs = open(callboard, healthy, 0);
    Eventually.assertThat(() -> assertThat(row(job)).isEmpty());
    isDeletedForAll(job);
  }

  @Test
  void aJobIsDeletedThoughTheDatabaseIsAwayAndItsRowFollows() {
    Job job = submit("true");
    Eventually.assertThat(() -> assertThat(row(job)).isPresent());
    Job archivedToo = archived(job);
    history.away = true;
    Job fresh = submit("true");
    Eventually.assertThat(
        () -> assertThat(await(jobs.job(fresh.id())).state()).isEqualTo(JobState.SUCCEEDED));

    assertThat(await(jobs.delete(fresh.id())).id()).isEqualTo(fresh.id());
    fails(jobs.job(fresh.id()), Code.NOT_FOUND, "there is no job");
    fails(jobs.delete(archivedToo.id()), Code.UNAVAILABLE, "does not answer");
    history.away = false;
    assertThat(await(jobs.job(archivedToo.id())).state())
        .as("nothing was done")
        .isEqualTo(JobState.SUCCEEDED);

    history.keepsAll = true; // it goes away between the reading and the deletion of the row
    assertThat(await(jobs.delete(archivedToo.id())).id()).isEqualTo(archivedToo.id());
    Eventually.assertThat(() -> isDeletedForAll(archivedToo)); // lists follow shortly
    assertThat(row(archivedToo)).isPresent();
    history.keepsAll = false;
    Eventually.assertThat(() -> assertThat(row(archivedToo)).isEmpty());
    isDeletedForAll(archivedToo);
    isDeletedForAll(fresh);
  }

  @Test
  void theDatabaseForgetsSuccessesSoonerThanOthers() {
    Job success = archived(submit("true"));
    Job failure = archived(submit("false"));
    await(jobs.close());
    nodes.close(callboard);
    callboard = nodes.open("h2");
    jobs = open(callboard, history, 0, NONE.rows(Duration.ZERO, Duration.ofDays(1)));
    Eventually.assertThat(() -> assertThat(await(archive.jobs().find(success.id()))).isEmpty());
    assertThat(await(jobs.job(failure.id())).state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void theDatabaseForgetsJobsOfATypeWhenThatSays() {
    TypeRetention years = new TypeRetention(Duration.ofDays(3_000), null, null, null);
    await(
        jobs.putType(
            new JobType("kept", JobType.PROCESS, 4, false, RetryPolicy.ONCE, null, years)));
    Job kept = archived(submit(JobSpec.process("kept", List.of("true")), null));
    Job failed = archived(submit(JobSpec.process("kept", List.of("false")), null));
    Job other = archived(submit("true"));
    await(jobs.close());
    nodes.close(callboard);
    callboard = nodes.open("h2");
    jobs = open(callboard, history, 0, NONE.rows(Duration.ZERO, Duration.ZERO));
    Eventually.assertThat(
        () -> {
          assertThat(await(archive.jobs().find(other.id()))).isEmpty();
          assertThat(await(archive.jobs().find(failed.id()))).isEmpty();
        });
    assertThat(await(jobs.job(kept.id())).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void theNextArchivistFinishesWhatWasWrittenAndNotLetGo() {
    history.mute = true; // its node hears nothing of the transaction that it has committed
    Job job = submit("true");
    Eventually.assertThat(() -> assertThat(history.writes).hasValue(1));
    assertThat(records()).containsExactly(job.id());
    Callboard other = nodes.open("h2");
    FaultyHistory healthy = new FaultyHistory(archive.jobs());
    await(jobs.close());
    nodes.close(callboard);
    callboard = other;
    jobs = open(other, healthy, 0);
    assertThat(archived(job).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(healthy.writes).as("written again, and found there").hasValue(1);
    assertThat(await(jobs.list(query(null, 9, null))).items()).hasSize(1);
  }
}
