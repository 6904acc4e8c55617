package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.actor.StartLedger;
import io.callboard.workflows.internal.starts.LedgerAnswer;
import io.callboard.workflows.internal.starts.LedgerCommand;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actors of the engine, other than instances, that an operator restores to an earlier event. */
class RestoredActorsTest extends WorkflowsOfOneNode {
  private final List<String> built = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    engine("n1");
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    workflows.starts().builder("simple", this::build);
  }

  private Future<Optional<StartRequest>> build(WorkflowBuilder.Build message) {
    built.add(message.id());
    return Future.succeededFuture(Optional.of(StartRequest.of("one", message.message())));
  }

  private static WorkflowDefinition version(String... steps) {
    Workflow one = Workflow.define("one");
    for (String step : steps) {
      one.step(step, "handler:echo", s -> s);
    }
    return one.build().definition();
  }

  private void isRefused(String path, long event, String why) {
    assertThatThrownBy(() -> await(callboard.admin().restore(path, event, "as it was")))
        .hasMessageContaining(why);
  }

  @Test
  void aDefinitionKeepsTheVersionsThatInstancesRun() {
    String first = await(workflows.put(version("a"))).version();
    String second = await(workflows.put(version("a", "b"))).version();
    isRefused(DefinitionActor.path("one"), 1, "store the earlier text again");
    assertThat(await(workflows.definition("one", second)).version()).isEqualTo(second);
    assertThat(await(workflows.put(version("a"))).isNew()).isFalse();
    assertThat(await(workflows.definition("one")).version()).isEqualTo(first);
  }

  @Test
  void aMessageIsSettledOnce() {
    assertThat(await(workflows.put(version("a"))).isNew()).isTrue();
    var accepted =
        await(workflows.starts().accept(Intake.built("m1", "simple", JSON.objectNode())));
    assertThat(accepted.id()).isEqualTo("m1");
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.starts().receipt("m1")).outcome())
                .isEqualTo(InstanceState.SUCCEEDED));
    isRefused(IntakeActor.path("m1"), 1, "send it again with another id");
    assertThat(await(workflows.starts().receipt("m1")).outcome())
        .isEqualTo(InstanceState.SUCCEEDED);
    assertThat(built).containsExactly("m1");
  }

  @Test
  void aStartDeskHasAnEpochOfItsOwnAfterItsMasterWasRestored() {
    List<Long> epochs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      epochs.add(open());
    }
    await(callboard.admin().restore(StartLedger.PATH, 1, "as it was"));
    epochs.add(open());
    assertThat(epochs).doesNotHaveDuplicates().isSorted();
  }

  private long open() {
    ActorRef<LedgerCommand> ledger = callboard.durableRef(StartLedger.PATH, LedgerCommand.class);
    LedgerAnswer answer = await(ledger.ask(new LedgerCommand.Open(null), LedgerAnswer.class));
    return ((LedgerAnswer.Opened) answer).state().epoch();
  }
}
