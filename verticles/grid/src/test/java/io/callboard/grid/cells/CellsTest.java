package io.callboard.grid.cells;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.store.StoreException;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of two cells, each with an ensemble: messages told in one arrive in the other, once and in
 * order.
 */
@Tag("real")
class CellsTest {
  private static final int SENDERS = 4;
  private static final int MESSAGES = 150;

  private TestCell here;
  private TestCell there;

  /**
   * @param form what makes some of them large
   */
  record Count(String sender, long n, String form) {}

  record Seen(Map<String, Long> last, long count, List<String> wrong) {
    Seen and(Count next) {
      Map<String, Long> nextLast = new HashMap<>(last);
      List<String> nextWrong = new ArrayList<>(wrong);
      long before = nextLast.getOrDefault(next.sender(), 0L);
      if (next.n() != before + 1) {
        nextWrong.add("%s: %d after %d".formatted(next.sender(), next.n(), before));
      }
      nextLast.put(next.sender(), next.n());
      return new Seen(nextLast, count + 1, nextWrong);
    }
  }

  private static final class Counter extends DurableStateActor<Count, Seen> {
    @Override
    protected Seen initial() {
      return new Seen(Map.of(), 0, List.of());
    }

    @Override
    protected void protocol(Protocol<Count> on) {
      on.message(Count.class, count -> update(state().and(count)));
    }
  }

  /** Actor that tells messages across, out of its turns, in a priority of its own. */
  private static final class Sender extends DurableStateActor<Sender.Command, Sender.Sent> {
    sealed interface Command {}

    record Next(String to, int left) implements Command {}

    record Sent(long n) {}

    @Override
    protected Sent initial() {
      return new Sent(0);
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(Next.class, this::next);
    }

    private void next(Next next) {
      long n = state().n() + 1;
      String form = n % 50 == 0 ? "x".repeat(60_000) : "";
      Priority priority = Priority.values()[path().name().length() % Priority.values().length];
      ActorRef<Count> to = callboard().durableRef("/cells/b" + next.to(), Count.class);
      tell(to, new Count(path().name(), n, form), TellOptions.priority(priority));
      update(new Sent(n));
      if (next.left() > 1) {
        tell(self(), new Next(next.to(), next.left() - 1));
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    here = new TestCell("cell-a");
    there = new TestCell("cell-b");
  }

  @AfterEach
  void stop() {
    here.closeNodes();
    there.close();
    here.close();
  }

  /** Starts a node of cell a that carries to b, with its membership of b. */
  private Callboard carrier(String name) {
    Callboard node = here.node(name);
    await(Cells.reach(node, "a", "b", there.node("a-" + name)));
    await(node.host("/senders/of", Sender::new, new ActorOptions()));
    return node;
  }

  private Callboard receiver(String name) {
    Callboard node = there.node(name);
    await(Cells.admit(node, "a", "/counts/of"));
    await(node.host("/counts/of", Counter::new, new ActorOptions().mailboxLimit(40)));
    return node;
  }

  private static Seen seen(Callboard node, String actor) {
    try {
      return await(node.admin().stored(actor))
          .flatMap(stored -> stored.record().state(Seen.class))
          .orElse(new Seen(Map.of(), 0, List.of()));
    } catch (StoreException e) {
      throw new AssertionError("the store cannot be read now", e);
    }
  }

  @Test
  void messagesArriveOnceAndInOrderThroughCutsOfEitherSide() throws Exception {
    Callboard first = carrier("first");
    Callboard second = carrier("second");
    Callboard far = receiver("far");
    for (int i = 0; i < SENDERS; i++) {
      String name = "s" + "x".repeat(i);
      var told =
          first
              .durableRef("/senders/of/" + name, Sender.Command.class)
              .tell(new Sender.Next("/counts/of/one", MESSAGES));
      await(told);
    }
    awaitCount(far, "/counts/of/one", 20);
    there.cut(() -> awaitWait(1_500));
    awaitCount(far, "/counts/of/one", 60);
    here.cut(() -> awaitWait(500));
    here.close(first); // what it carried is carried by the other one
    there.cut(() -> awaitWait(3_500)); // past the sessions
    awaitCount(far, "/counts/of/one", SENDERS * MESSAGES);
    Seen seen = seen(far, "/counts/of/one");
    assertThat(seen.wrong()).isEmpty();
    assertThat(seen.last())
        .hasSize(SENDERS)
        .allSatisfy((s, n) -> assertThat(n).isEqualTo(MESSAGES));
    assertThat(second.node()).isEqualTo("second");
  }

  /** Sleeps; the duration of a cut is a matter of the clock. */
  private static void awaitWait(long millis) {
    java.util.concurrent.locks.LockSupport.parkNanos(millis * 1_000_000);
  }

  private static void awaitCount(Callboard far, String actor, long count) {
    Eventually.assertThat(() -> assertThat(seen(far, actor).count()).isGreaterThanOrEqualTo(count));
  }

  @Test
  void noMessageArrivesWhereTheCellIsNotAdmitted() throws Exception {
    Callboard node = carrier("carrier");
    Callboard far = there.node("far");
    await(far.host("/counts/of", Counter::new, new ActorOptions()));
    ActorRef<Count> ref = node.durableRef("/cells/b/counts/of/one", Count.class);
    List<Future<Void>> told = new ArrayList<>();
    for (long n = 1; n <= 5; n++) {
      told.add(ref.tell(new Count("edge", n, "")));
    }
    await(Future.all(told));
    assertThat(seen(far, "/counts/of/one").count()).isZero();
    await(Cells.admit(far, "a", "/counts")); // then what waited comes
    awaitCount(far, "/counts/of/one", 5);
    assertThat(seen(far, "/counts/of/one").wrong()).isEmpty();
  }

  @Test
  void namesThatAreNoSegmentsAreRefused() {
    Callboard node = here.node("node");
    assertThatThrownBy(() -> await(Cells.admit(node, "a/..", "/counts")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> await(Cells.admit(node, "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/orders");
    assertThatThrownBy(() -> await(Cells.admit(node, "a", "/from/c")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> await(Cells.reach(node, "", "b", node)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
