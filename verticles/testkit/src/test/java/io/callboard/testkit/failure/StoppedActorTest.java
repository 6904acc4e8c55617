package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ActorStatus.State;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test that an actor stopped by an operator stays stopped until it is resumed, on whichever node
 * owns it meanwhile.
 */
class StoppedActorTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private static Callboard hosting(Callboard node) throws Exception {
    await(node.<Add>host("/counters", Counter::new, QUICK));
    return node;
  }

  private static Future<Total> add(Callboard node, String path) {
    return node.durableRef(path, Add.class).ask(new Add(1), Total.class);
  }

  private boolean isStored(String path) {
    return one.admin().stored(path).await().orElseThrow().record().stopped();
  }

  private Callboard one;

  private static void becomes(Callboard node, String path, State state) {
    Eventually.assertThat(
        () ->
            assertThat(node.admin().running().result())
                .filteredOn(actor -> actor.path().toString().equals(path))
                .singleElement()
                .satisfies(actor -> assertThat(actor.state()).isEqualTo(state)));
  }

  @Test
  void aHostedActorStaysStoppedOverAMoveAndRunsAgainWhenItIsResumed() throws Exception {
    one = hosting(nodes.open("one"));
    assertThat(await(add(one, "/counters/a")).value()).isEqualTo(1);
    await(one.admin().suspend("/counters/a"));
    becomes(one, "/counters/a", State.STOPPED);
    Eventually.assertThat(() -> assertThat(isStored("/counters/a")).isTrue());
    Callboard two = hosting(nodes.open("two"));
    await(one.close());

    Future<Total> asked = add(two, "/counters/a");
    becomes(two, "/counters/a", State.STOPPED);
    assertThat(asked.isComplete()).isFalse();
    await(two.admin().resume("/counters/a"));
    assertThat(await(asked).value()).isEqualTo(2);
    becomes(two, "/counters/a", State.RUNNING);

    one = hosting(nodes.open("one"));
    await(two.close());
    assertThat(await(add(one, "/counters/a")).value()).as("resumed for good").isEqualTo(3);
  }

  @Test
  void anActorThatIsNotInMemoryIsResumedToo() throws Exception {
    one = hosting(nodes.open("one"));
    await(add(one, "/counters/a"));
    await(one.admin().suspend("/counters/a"));
    becomes(one, "/counters/a", State.STOPPED);
    Eventually.assertThat(() -> assertThat(isStored("/counters/a")).isTrue());
    await(one.close());
    one = hosting(nodes.open("one"));
    assertCode(() -> await(one.admin().resume("/counters/typo")), Code.NO_SUCH_ACTOR);
    assertThat(await(one.admin().stored("/counters/typo"))).isEmpty();
    Eventually.assertThat(() -> one.admin().resume("/counters/a").await());
    becomes(one, "/counters/a", State.RUNNING);
    assertThat(isStored("/counters/a")).isFalse();
  }

  @Test
  void aChildOfAZoneStaysStoppedOverAMove() throws Exception {
    one = nodes.open("one");
    Callboard two = nodes.open("two");
    for (Callboard node : new Callboard[] {one, two}) {
      await(node.supervise("/shop", new FailureZone(), QUICK.supervision()));
      await(node.<Add>spawn("/shop/till", Counter::new, QUICK));
    }
    Callboard owner = one.admin().running().result().get(0).state() == State.ELSEWHERE ? two : one;
    Callboard heir = owner == one ? two : one;
    await(owner.admin().suspend("/shop/till"));
    becomes(owner, "/shop/till", State.STOPPED);
    assertCode(() -> await(heir.admin().resume("/shop/till")), Code.CONFLICT);
    one = heir;
    Eventually.assertThat(() -> assertThat(isStored("/shop/till")).isTrue());
    await(owner.close());
    becomes(heir, "/shop/till", State.STOPPED);
    await(heir.admin().resume("/shop/till"));
    becomes(heir, "/shop/till", State.RUNNING);
    assertThat(await(add(heir, "/shop/till")).value()).isEqualTo(1);
  }

  @Test
  void anActorThatIsSuspendedAndResumedAtOnceRuns() throws Exception {
    one = hosting(nodes.open("one"));
    await(add(one, "/counters/a"));
    for (int i = 0; i < 20; i++) {
      await(one.admin().suspend("/counters/a"));
      await(one.admin().resume("/counters/a"));
    }
    assertThat(await(add(one, "/counters/a")).value()).isEqualTo(2);
    await(one.admin().suspend("/counters/a"));
    becomes(one, "/counters/a", State.STOPPED);
  }
}
