package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepOutcome.Kind;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.worker.HttpStepOptions;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.WhenFull;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that block real threads, in zones of their own. */
class WorkersZonesTest {

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final RecordedReports reports = new RecordedReports();
  private final CountDownLatch open = new CountDownLatch(1);
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final List<String> threads = new CopyOnWriteArrayList<>();
  private Workers workers;

  @BeforeEach
  void start() {
    Callboard callboard =
        nodes.open(
            "one",
            options ->
                options
                    .zone("slow", ZoneOptions.fixed(1))
                    .zone("tiny", ZoneOptions.fixed(1).queue(1).whenFull(WhenFull.REJECT)));
    Grid grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    workers =
        new Workers(
            callboard,
            reports,
            2,
            HttpStepOptions.DEFAULT,
            () -> Future.succeededFuture(List.of()));
    await(workers.open(grid));
    workers.handle("echo@1", step -> Future.succeededFuture(step.input()));
  }

  @AfterEach
  void stop() {
    open.countDown();
    await(workers.close());
  }

  private Future<JsonNode> block(StepContext step) {
    begun.add(step.key());
    threads.add(Thread.currentThread().getName());
    Waits.opened(open);
    return Future.succeededFuture(step.input());
  }

  private void request(String instance, String type) {
    assertThat(await(workers.dispatch().request(WorkRequests.of(instance, type))))
        .isInstanceOf(RequestAnswer.Queued.class);
  }

  private void succeeds(String instance, String type) {
    StepRequest request = WorkRequests.of(instance, type);
    Eventually.isTrue(request.key() + " is done", () -> reports.done.containsKey(request.key()));
    assertThat(reports.done.get(request.key()).kind()).isEqualTo(Kind.SUCCEEDED);
  }

  private RunPlace place(String instance) {
    return await(workers.dispatch().places(instance)).get(0);
  }

  @Test
  void aHandlerThatBlocksItsZoneKeepsNoOtherWaiting() {
    workers.handle("block@1", "slow", this::block);
    for (String id : List.of("b1", "b2", "b3")) { // more than the node has slots
      request(id, "handler:block");
    }
    Eventually.isTrue("one has the thread", () -> begun.size() == 1);
    for (String id : List.of("e1", "e2", "e3")) {
      request(id, "handler:echo@1");
      succeeds(id, "handler:echo@1");
    }
    assertThat(place("b3").state()).isEqualTo(RunPlace.State.QUEUED);
    assertThat(place("b3").why())
        .isEqualTo("all 1 slots of the workers that offer block are taken: one in its zone slow");
    assertThat(begun).hasSize(1);
    open.countDown();
    for (String id : List.of("b1", "b2", "b3")) {
      succeeds(id, "handler:block");
    }
    assertThat(threads).allMatch(name -> name.contains("-slow"));
    assertThat(reports.contradictions).isEmpty();
  }

  @Test
  void aStepThatHasASlotButNoThreadSaysSo() {
    workers.handle("block@1", "slow", this::block);
    workers.slots("slow", 2);
    request("b1", "handler:block@1");
    Eventually.isTrue("it has the thread", () -> begun.size() == 1);
    request("b2", "handler:block@1");
    Eventually.assertThat(
        () -> assertThat(place("b2").why()).isEqualTo("it waits for a thread of the zone slow"));
    assertThat(place("b1").why()).isNull();
    open.countDown();
    succeeds("b1", "handler:block@1");
    succeeds("b2", "handler:block@1");
  }

  @Test
  void aFullZoneDelaysStepsAndFailsNone() {
    workers.handle("block@1", "tiny", this::block);
    workers.slots("tiny", 4);
    List<String> all = List.of("b1", "b2", "b3", "b4", "b5", "b6");
    for (String id : all) {
      request(id, "handler:block@1");
    }
    Eventually.assertThat(
        () ->
            assertThat(place("b6").why())
                .isEqualTo(
                    "the workers that offer block@1 have no slots: one in its zone tiny (the zone"
                        + " is full)"));
    request("e", "handler:echo@1");
    succeeds("e", "handler:echo@1");
    open.countDown();
    for (String id : all) {
      succeeds(id, "handler:block@1");
    }
    assertThat(begun).as("each once").doesNotHaveDuplicates().hasSize(all.size());
    assertThat(reports.contradictions).isEmpty();
    assertThat(reports.lost).isEmpty();
  }

  @Test
  void anUnknownZoneIsRefusedNamingTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.handle("block@1", "slwo", this::block))
        .withMessageContaining("there is no scheduling zone \"slwo\" for handler block@1")
        .withMessageContaining("did you mean \"slow\"?")
        .withMessageContaining("steps")
        .withMessageContaining("tiny");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.handle("block@1", ZoneDefaults.TOOLKIT, this::block))
        .withMessageContaining("reserved");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.handle("block@1", ZoneDefaults.EVENT_LOOP, this::block))
        .withMessageContaining("handler block@1 may not block")
        .withMessageContaining("of blocking, builders, default, jobs, slow, steps, tiny");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.slots("nowhere", 2))
        .withMessageContaining("nowhere");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.slots("slow", -1))
        .withMessageContaining("-1");
    assertThat(workers.types()).containsExactlyInAnyOrder("http", "handler:echo@1");
  }
}
