package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.part.NodePart;
import io.callboard.part.PartTrouble;
import io.callboard.part.RunningNode;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.SampleActors;
import io.callboard.workflows.definition.Workflow;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a real node says is wrong with roles, gates, brakes and sources. */
@Tag("real")
class AttentionWorkTest {

  /** Seconds after which a job has waited for long. */
  private static final int LONG = 180;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  @TempDir Path data;
  private final AtomicInteger seconds = new AtomicInteger();
  private final Clock clock = TestNode.ahead(seconds);

  /** Looks a second later, by the clock of what is read. */
  private Optional<JsonNode> trouble(TestNode node, String rule, String subject) {
    seconds.incrementAndGet();
    JsonNode items = TestNode.json(node.get("/api/v1/attention")).path("items");
    return StreamSupport.stream(items.spliterator(), false)
        .filter(item -> item.path("rule").asText().equals(rule))
        .filter(item -> item.at("/subject/name").asText().equals(subject))
        .findFirst();
  }

  private JsonNode appears(TestNode node, String rule, String subject, String cause) {
    Eventually.assertThat(
        () ->
            assertThat(trouble(node, rule, subject))
                .hasValueSatisfying(
                    item -> assertThat(item.path("cause").asText()).contains(cause)));
    return trouble(node, rule, subject).orElseThrow();
  }

  private void vanishes(TestNode node, String rule, String subject) {
    Eventually.assertThat(() -> assertThat(trouble(node, rule, subject)).isEmpty());
  }

  /** Part of an application that reports what is wrong with it. */
  private static final class PrinterPart implements NodePart<List<PartTrouble>> {
    private final AtomicReference<Future<List<PartTrouble>>> troubles;

    PrinterPart(AtomicReference<Future<List<PartTrouble>>> troubles) {
      this.troubles = troubles;
    }

    @Override
    public String name() {
      return "printer";
    }

    @Override
    @SuppressWarnings("unchecked")
    public Class<List<PartTrouble>> type() {
      return (Class<List<PartTrouble>>) (Class<?>) List.class;
    }

    @Override
    public Future<List<PartTrouble>> start(RunningNode node) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<PartTrouble>> troubles(List<PartTrouble> started) {
      return troubles.get();
    }
  }

  @Test
  void anAttentionThatAPartReportsIsListed() {
    AtomicReference<Future<List<PartTrouble>>> troubles =
        new AtomicReference<>(
            Future.succeededFuture(
                List.of(new PartTrouble("tray 2", true, null, "it is empty", "fill it"))));
    try (TestNode node = new TestNode(data, TestNode.options().clock(clock))) {
      await(node.parts.start(new PrinterPart(troubles)));
      JsonNode empty = appears(node, "PART_TROUBLED", "printer", "tray 2: it is empty");
      assertThat(empty.path("severity").asText()).isEqualTo("CRITICAL");
      assertThat(empty.at("/action/label").asText()).isEqualTo("fill it");
      troubles.set(Future.failedFuture("paper jam"));
      appears(node, "NOT_READ", "troubles of the part printer", "paper jam");
      troubles.set(Future.succeededFuture(List.of()));
      vanishes(node, "NOT_READ", "troubles of the part printer");
      vanishes(node, "PART_TROUBLED", "printer");
    }
  }

  @Test
  void aRoleThatNoOtherNodeOffersHasNoStandby() {
    GridOptions timing = TestNode.scanningOften();
    MemoryStore store = new MemoryStore(nodes.cell());
    try (TestNode node = new TestNode(data, TestNode.options().clock(clock), store, timing)) {
      await(node.grid.role("clerk", SampleActors.Counter::new, new ActorOptions()));
      Callboard other = nodes.open("node-b");
      Grid grid = await(Grid.start(other, timing));
      appears(node, "ROLE_WITHOUT_STANDBY", "clerk", "no other live node offers it");
      await(grid.role("clerk", SampleActors.Counter::new, new ActorOptions()));
      vanishes(node, "ROLE_WITHOUT_STANDBY", "clerk");
    }
  }

  @Test
  void aGateThatIsFullForLongNamesTheLongestRun() {
    seconds.addAndGet(LONG);
    try (TestNode node = new TestNode(data, TestNode.options().clock(clock))) {
      await(node.jobs.putType(new JobType("etl", JobType.PROCESS, 1, false, RetryPolicy.ONCE)));
      JobSpec longRun = JobSpec.process("etl", List.of("sleep", "600"));
      String first = await(node.jobs.submit(longRun)).job().id();
      Eventually.assertThat(() -> assertThat(await(node.jobs.job(first)).startedAt()).isNotNull());
      assertThat(trouble(node, "GATE_FULL", "etl")).as("nothing waits").isEmpty();
      String second = await(node.jobs.submit(longRun)).job().id();
      JsonNode full =
          appears(node, "GATE_FULL", "etl", "1 job waits, as its limit is reached: 1 of 1 runs");
      assertThat(full.path("cause").asText())
          .contains("; the longest has run since ")
          .endsWith("Z: job " + first);
      assertThat(full.at("/action/open/name").asText()).isEqualTo(first);
      await(node.jobs.cancel(second));
      vanishes(node, "GATE_FULL", "etl");
      await(node.jobs.cancel(first));
    }
  }

  @Test
  void jobsThatNoHostTakesAreSeen() {
    seconds.addAndGet(LONG);
    try (TestNode node = new TestNode(data, TestNode.options().clock(clock))) {
      await(node.jobs.putType(new JobType("ml", JobType.PROCESS, 2, false, RetryPolicy.ONCE)));
      JobSpec picky = JobSpec.process("ml", List.of("true")).requiring(Map.of("gpu", "yes"));
      String id = await(node.jobs.submit(picky)).job().id();
      JsonNode none =
          appears(
              node, "NO_HOST", "ml", "1 job waits, and no host takes the oldest: no host offers");
      assertThat(none.path("severity").asText()).isEqualTo("CRITICAL");
      assertThat(none.path("seen").asBoolean()).isFalse();
      assertThat(none.at("/action/open/name").asText()).isEqualTo(id);
      await(node.jobs.cancel(id));
      vanishes(node, "NO_HOST", "ml");
    }
  }

  @Test
  void aRunThatMakesNoProgressIsSeenUntilItIsEnded() {
    try (TestNode node = new TestNode(data, TestNode.options().clock(clock))) {
      JsonNode job =
          TestNode.json(
              node.post(
                  "/api/v1/jobs",
                  "{\"command\":[\"sleep\",\"600\"],\"timeouts\":{\"progress\":\"PT1S\"}}"));
      String id = job.path("id").asText();
      JsonNode stalled =
          appears(
              node,
              "JOBS_STALLED",
              "process",
              "1 job runs and makes no progress within the progress timeout: job " + id);
      assertThat(stalled.path("severity").asText()).isEqualTo("WARNING");
      assertThat(stalled.path("seen").asBoolean()).isFalse();
      assertThat(stalled.at("/action/open/name").asText()).isEqualTo(id);
      assertThat(trouble(node, "KILL_FAILED", "node-a")).isEmpty();
      await(node.jobs.cancel(id));
      vanishes(node, "JOBS_STALLED", "process");
    }
  }

  @Test
  void aRunThatIsNotGoneAfterAKillIsSeenUntilItIs() {
    try (TestNode node = new TestNode(data, TestNode.options().clock(clock))) {
      String id =
          await(node.jobs.submit(JobSpec.process("process", List.of("sleep", "600")))).job().id();
      Eventually.assertThat(() -> assertThat(await(node.jobs.job(id)).startedAt()).isNotNull());
      await(
          node.callboard
              .durableRef(JobActor.path(id), JobCommand.class)
              .tell(new JobCommand.KillFailed(1, List.of(4_711L), Instant.now())));
      JsonNode failed =
          appears(
              node,
              "KILL_FAILED",
              "node-a",
              "1 run is not gone after it was killed, and keeps its");
      assertThat(failed.path("cause").asText())
          .contains(": run 1 of job " + id)
          .endsWith("Z, process 4711");
      assertThat(failed.at("/subject/kind").asText()).isEqualTo("HOST");
      assertThat(TestNode.json(node.get("/api/v1/jobs/" + id)).at("/failedKill/pids/0").asInt())
          .isEqualTo(4_711);
      await(node.jobs.cancel(id));
      vanishes(node, "KILL_FAILED", "node-a");
      assertThat(TestNode.json(node.get("/api/v1/jobs/" + id)).has("failedKill")).isFalse();
    }
  }

  @Test
  void aBrakeThatIsOnAndASourceThatIsPausedAreSeen() throws IOException {
    Path directory = SourceApiTest.directory(data);
    try (TestNode node =
        TestNode.withSources(
            data, TestNode.options().clock(clock), SourceApiTest.configured(directory))) {
      assertThat(
              await(
                      node.workflows.put(
                          Workflow.define("etl")
                              .step("a", "handler:nobody", step -> step)
                              .build()
                              .definition()))
                  .isNew())
          .isTrue();
      vanishes(node, "SOURCE_STOPPED", "files");
      await(node.sources.pause("files", "ana"));
      JsonNode paused = appears(node, "SOURCE_STOPPED", "files", "paused by ana");
      assertThat(paused.path("severity").asText()).isEqualTo("NOTICE");
      assertThat(node.post("/api/v1" + paused.at("/action/post").asText()).statusCode())
          .isEqualTo(202);
      vanishes(node, "SOURCE_STOPPED", "files");

      await(node.workflows.override("etl", 0, "ana", "the scanner is broken"));
      appears(node, "BRAKE_ON", "etl", "as ana has set: the scanner is broken");
      await(node.workflows.starts().release("etl"));
      vanishes(node, "BRAKE_ON", "etl");
    }
  }
}
