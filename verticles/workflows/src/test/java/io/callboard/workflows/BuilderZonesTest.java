package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.admin.ZoneStatus;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.internal.archiving.ArchivedInstances;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowsOptions;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.WhenFull;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Builders that block real threads, in their zones. */
class BuilderZonesTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private final CountDownLatch open = new CountDownLatch(1);
  private final Set<String> blocked = ConcurrentHashMap.newKeySet();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();
  private Callboard callboard;
  private OpenEngine engine;
  private Jobs jobs;
  private Workflows workflows;
  private StartControl starts;

  @BeforeEach
  void start() throws Exception {
    callboard =
        nodes.open(
            "n1",
            options ->
                options
                    .time(time)
                    .zone("slow", ZoneOptions.fixed(1))
                    .zone("tiny", ZoneOptions.fixed(1).queue(1).whenFull(WhenFull.REJECT)));
    engine = OpenEngine.on(callboard);
    jobs = engine.jobs();
    workflows = engine.workflows();
    starts = workflows.starts();
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    assertThat(
            await(
                    workflows.put(
                        Workflow.define("good")
                            .step("a", "handler:echo", s -> s)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
    starts.builder("quick", this::quick);
  }

  @AfterEach
  void stop() {
    open.countDown();
    engine.close();
  }

  private Future<Optional<StartRequest>> quick(WorkflowBuilder.Build message) {
    threads.add(Thread.currentThread().getName());
    return Future.succeededFuture(Optional.of(StartRequest.of("good", message.message())));
  }

  private Future<Optional<StartRequest>> stuck(WorkflowBuilder.Build message) {
    return blocks(message, open);
  }

  private Future<Optional<StartRequest>> blocks(
      WorkflowBuilder.Build message, CountDownLatch until) {
    blocked.add(message.id());
    Waits.opened(until);
    return quick(message);
  }

  private void accept(String id, String builder) {
    assertThat(await(starts.accept(Intake.built(id, builder, JSON.objectNode()))).state())
        .isIn(MessageReceipt.State.BUILDING, MessageReceipt.State.STARTED);
  }

  /** Advances the time in steps until an assertion holds. */
  private void inTime(Runnable assertion) {
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofMillis(200));
          assertion.run();
        });
  }

  private void ends(String id) {
    inTime(
        () -> assertThat(await(starts.receipt(id)).outcome()).isEqualTo(InstanceState.SUCCEEDED));
  }

  @Test
  void aBuilderThatBlocksItsZoneKeepsNothingElseWaiting() {
    starts.builder("stuck", "slow", this::stuck);
    accept("s1", "stuck");
    accept("s2", "stuck");
    Eventually.assertThat(() -> assertThat(blocked).hasSize(1));
    accept("q1", "quick");
    ends("q1");
    assertThat(threads).allMatch(name -> name.contains("-" + ZoneDefaults.BUILDERS));
    open.countDown();
    ends("s1");
    ends("s2");
    assertThat(threads).anyMatch(name -> name.contains("-slow"));
  }

  @Test
  void buildersThatBlockTheZoneOfAllKeepNoInstanceWaiting() {
    int size =
        callboard.admin().zones().stream()
            .filter(zone -> zone.name().equals(ZoneDefaults.BUILDERS))
            .mapToInt(ZoneStatus::maxSize)
            .findFirst()
            .orElseThrow();
    starts.builder("stuck", this::stuck);
    starts.builder("apart", "slow", this::quick);
    for (int i = 0; i < size; i++) {
      accept("s" + i, "stuck");
    }
    Eventually.assertThat(() -> assertThat(blocked).hasSize(size));
    String id = await(workflows.run(StartRequest.of("good"))).id();
    inTime(
        () -> assertThat(await(workflows.instance(id)).state()).isEqualTo(InstanceState.SUCCEEDED));
    accept("a1", "apart");
    ends("a1");
    open.countDown();
    for (int i = 0; i < size; i++) {
      ends("s" + i);
    }
  }

  @Test
  void aZoneWithoutAThreadIsToldInTheReceiptAndNothingIsLost() {
    starts.builder("stuck", "tiny", this::stuck);
    accept("s1", "stuck");
    Eventually.assertThat(() -> assertThat(blocked).hasSize(1));
    for (int i = 2; i <= 4; i++) {
      accept("s" + i, "stuck");
    }
    inTime(
        () ->
            assertThat(await(starts.receipt("s4")).error())
                .contains("its builder could not be asked now"));
    open.countDown();
    for (int i = 1; i <= 4; i++) {
      ends("s" + i);
    }
  }

  /** The actors of all builders start at once, before the first of them gets its message. */
  @Test
  void inABurstNoBuilderWaitsForEverBehindBlockingOnes() {
    CountDownLatch held = new CountDownLatch(1);
    starts.builder("hold", "slow", message -> blocks(message, held));
    starts.builder("stuck", "slow", this::stuck);
    accept("h", "hold");
    Eventually.assertThat(() -> assertThat(blocked).containsExactly("h"));
    for (int i = 1; i <= 4; i++) {
      accept("s" + i, "stuck");
    }
    Eventually.assertThat(() -> assertThat(queued("slow")).isGreaterThanOrEqualTo(4));
    held.countDown();
    ends("h");
    Eventually.assertThat(() -> assertThat(blocked).hasSize(2));
    for (int i = 1; i <= 4; i++) {
      String id = "s" + i;
      if (!blocked.contains(id)) {
        inTime(
            () ->
                assertThat(await(starts.receipt(id)).error())
                    .contains("zone slow had no thread for it within 10 s"));
      }
    }
    assertThat(blocked).as("the builder of one has the thread").hasSize(2);
    open.countDown();
    for (int i = 1; i <= 4; i++) {
      ends("s" + i);
    }
  }

  private int queued(String name) {
    return callboard.admin().zones().stream()
        .filter(zone -> zone.name().equals(name))
        .mapToInt(ZoneStatus::queued)
        .sum();
  }

  @Test
  void anUnknownZoneIsRefusedNamingTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> starts.builder("b", "slwo", this::quick))
        .withMessageContaining("there is no scheduling zone \"slwo\" for builder b")
        .withMessageContaining("did you mean \"slow\"?")
        .withMessageContaining("builders")
        .withMessageContaining("tiny");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> starts.builder("b", ZoneDefaults.TOOLKIT, this::quick))
        .withMessageContaining("reserved");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> starts.builder("b", ZoneDefaults.EVENT_LOOP, this::quick))
        .withMessageContaining("choose one with threads of its own");
    assertThat(starts.hasBuilder("b")).isFalse();
    WorkflowsOptions options = WorkflowsOptions.DEFAULT.builderZone("nowhere");
    try (NodesExtension apart = new NodesExtension()) {
      Callboard other = apart.open("n2");
      Grid its = await(Grid.start(other, GridOptions.DEFAULT));
      assertThatThrownBy(
              () ->
                  await(Workflows.start(other, its, jobs, options, null, ArchivedInstances.PAUSE)))
          .hasMessageContaining(
              "there is no scheduling zone \"nowhere\" for builders of workflows");
    }
  }
}
