package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator's stop of a durable actor goes with its partition to the next owner. */
@Tag("real")
class StoppedAcrossNodesTest {
  private static final String PATH = "/counters/a";

  private final BlockingQueue<Integer> handled = new LinkedBlockingQueue<>();
  @RegisterExtension final TwoNodes nodes = new TwoNodes("stopped");

  @BeforeEach
  void start() throws Exception {
    for (Callboard node : new Callboard[] {nodes.here, nodes.there}) {
      await(
          node.<Counter.Count>host(
              "/counters", () -> new Counter(handled::add), new ActorOptions()));
    }
  }

  private static boolean is(Callboard node, State state) {
    return node.admin().running().await().stream()
        .anyMatch(a -> a.path().equals(ActorPath.of(PATH)) && a.state() == state);
  }

  private static void tell(Callboard node, int number) throws Exception {
    await(node.durableRef(PATH, Counter.Count.class).tell(new Counter.Count(number)));
  }

  @Test
  void itsNextOwnerLeavesItStoppedUntilItIsResumed() throws Exception {
    tell(nodes.here, 1);
    assertThat(Waits.next(handled)).isEqualTo(1);
    Callboard owner = is(nodes.here, State.RUNNING) ? nodes.here : nodes.there;
    Callboard heir = owner == nodes.here ? nodes.there : nodes.here;
    await(owner.admin().suspend(PATH));
    Eventually.assertThat(
        () ->
            assertThat(heir.admin().stored(PATH).await())
                .hasValueSatisfying(actor -> assertThat(actor.record().stopped()).isTrue()));
    assertThat(is(owner, State.STOPPED)).isTrue();
    tell(heir, 2);
    await(owner.close());

    Eventually.assertThat(() -> assertThat(is(heir, State.STOPPED)).isTrue());
    assertThat(handled).isEmpty();
    await(heir.admin().resume(PATH));
    assertThat(Waits.next(handled)).isEqualTo(2);
    assertThat(heir.admin().stored(PATH).await())
        .hasValueSatisfying(actor -> assertThat(actor.record().stopped()).isFalse());
  }
}
