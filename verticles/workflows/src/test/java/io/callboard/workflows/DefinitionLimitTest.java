package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.actor.DefinitionCache;
import io.callboard.workflows.internal.actor.DefinitionNames;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cell that has as many definitions as the record of their names takes. */
class DefinitionLimitTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Has the limit of names, of the greatest length. */
  static final class Full
      extends DurableStateActor<DefinitionNames.Command, DefinitionNames.Names> {
    @Override
    protected DefinitionNames.Names initial() {
      return new DefinitionNames.Names(
          IntStream.range(0, DefinitionNames.MOST).mapToObj(Full::name).toList());
    }

    static String name(int i) {
      return "n%099d".formatted(i);
    }

    @Override
    protected void protocol(Protocol<DefinitionNames.Command> on) {
      on.message(DefinitionNames.Command.Add.class, add -> update(state()))
          .query(DefinitionNames.Command.All.class, all -> state());
    }
  }

  private static WorkflowDefinition of(String name) {
    return Workflow.define(name).step("a", "handler:x", s -> s).build().definition();
  }

  @Test
  void aDefinitionBeyondTheLimitIsRefusedBeforeItIsStored() {
    Callboard node = nodes.open("n1");
    await(node.host(DefinitionActor.PREFIX, DefinitionActor::new, new ActorOptions()));
    await(node.host(DefinitionNames.PREFIX, Full::new, new ActorOptions()));
    DefinitionClient client =
        new DefinitionClient(node, new DefinitionCache(node, Workflows.ASK, Map.of()));
    assertThatThrownBy(() -> await(client.put(of("more"))))
        .isInstanceOfSatisfying(
            WorkflowException.class, e -> assertThat(e.code()).isEqualTo(Code.OVERLOADED))
        .hasMessageContaining("the cell has 5,000 definitions, which is the limit");
    assertThat(await(node.admin().stored(DefinitionActor.path("more")))).isEmpty();
    assertThat(await(client.put(of(Full.name(7)))).isNew()).as("a version more").isTrue();
    assertThat(await(client.names())).as("the record takes them").hasSize(DefinitionNames.MOST);
    assertThat(await(node.admin().parked(10))).isEmpty();
  }
}
