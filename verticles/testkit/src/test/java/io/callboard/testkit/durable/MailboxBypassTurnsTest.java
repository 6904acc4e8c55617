package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.NodeCounts;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that are handled with the commit that stores them, and those that cannot be. */
class MailboxBypassTurnsTest {
  private static final int ROUNDS = 50;

  sealed interface Order {
    record Note(int number) implements Order {}

    /** Order whose handler holds its thread until the test releases it. */
    record Block(int number) implements Order {}

    /** Order whose handler returns a future that the test completes. */
    record Later(int number) implements Order {}

    /** Order whose handler fails each time. */
    record Fail(int number) implements Order {}

    /** Enlists work, which is done when the test says so. */
    record Enlists(int number) implements Order {}

    /** Order that is stashed until 2 is noted. */
    record Aside(int number) implements Order {}
  }

  record Noted(List<Integer> numbers) {
    Noted with(int number) {
      List<Integer> more = new ArrayList<>(numbers);
      more.add(number);
      return new Noted(more);
    }
  }

  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch free = new CountDownLatch(1);
  private final Promise<Void> later = Promise.promise();
  private final AtomicInteger failures = new AtomicInteger();
  @RegisterExtension final Stage stage = new Stage();
  private ActorRef<Order> actor;

  @BeforeEach
  void start() throws Exception {
    spawn();
  }

  private void spawn() throws Exception {
    actor =
        await(
            stage.callboard.spawn("/notes", Notes::new, new ActorOptions(Stage.QUICK).attempts(2)));
    assertThat(await(actor.ask(new Order.Note(0), Noted.class)).numbers()).contains(0);
  }

  @AfterEach
  void stop() throws Exception {
    free.countDown();
    later.tryComplete();
  }

  final class Notes extends DurableStateActor<Order, Noted> {
    @Override
    protected Noted initial() {
      return new Noted(List.of());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Note.class, order -> note(order.number()))
          .message(Order.Block.class, order -> block(order.number()))
          .async(
              Order.Later.class,
              order -> inTurn(later.future()).onSuccess(v -> note(order.number())))
          .message(Order.Fail.class, order -> fail(failures.incrementAndGet()))
          .message(Order.Enlists.class, order -> enlists(order.number()))
          .message(Order.Aside.class, order -> aside(order.number()));
    }

    private void note(int number) {
      update(state().with(number));
      reply(state());
      unstashAll();
    }

    private void block(int number) {
      blocked.countDown();
      Waits.opened(free);
      note(number);
    }

    private void enlists(int number) {
      note(number);
      enlist("work");
    }

    @Override
    protected Future<?> flush(List<Object> work) {
      return later.future();
    }

    private void fail(int times) {
      throw new IllegalStateException("failure " + times);
    }

    private void aside(int number) {
      if (state().numbers().contains(2)) {
        note(number);
      } else {
        stash();
      }
    }
  }

  private List<Integer> numbers(int last) throws Exception {
    return await(actor.ask(new Order.Note(last), Noted.class)).numbers();
  }

  @Test
  void aMessageAndItsTurnAreOneCommit() throws Exception {
    List<Long> each = List.of(10L, 10L, 10L);
    List<Long> seen = List.of();
    // a message that gets no thread in time, on a busy machine, goes through the mailbox
    for (int round = 0; round < ROUNDS && !seen.equals(each); round++) {
      seen = countsOfTen();
    }
    assertThat(seen).as("turns, commits and messages of the last round").isEqualTo(each);
  }

  /** Asks ten times; returns the turns, commits and messages. */
  private List<Long> countsOfTen() throws Exception {
    NodeCounts before = stage.callboard.admin().counts();
    for (int i = 1; i <= 10; i++) {
      await(actor.ask(new Order.Note(i), Noted.class));
    }
    NodeCounts after = stage.callboard.admin().counts();
    return List.of(
        after.turns() - before.turns(),
        after.commits() - before.commits(),
        after.sent() - before.sent());
  }

  @Test
  void aHandlerThatHoldsItsThreadHoldsUpNoTell() throws Exception {
    await(actor.tell(new Order.Block(1)));
    Waits.opened(blocked);
    await(actor.tell(new Order.Note(2)));
    await(actor.tell(new Order.Note(3)));
    free.countDown();
    assertThat(numbers(4)).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aHandlerThatWaitsHoldsUpNoTell() throws Exception {
    await(actor.tell(new Order.Later(1)));
    await(actor.tell(new Order.Note(2)));
    later.complete();
    assertThat(numbers(3)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void workBeforeTheCommitHoldsUpNoTell() throws Exception {
    await(actor.tell(new Order.Enlists(1)));
    await(actor.tell(new Order.Note(2)));
    later.complete();
    assertThat(numbers(3)).containsExactly(0, 1, 2, 3);
  }

  /**
   * The promise of a tell is kept: the life of its handler ends, and a life on another node has the
   * message.
   */
  @Test
  void aToldMessageOutlivesItsHandler() throws Exception {
    await(actor.tell(new Order.Later(1)));
    await(actor.tell(new Order.Note(2)));
    stage.restart();
    later.complete();
    actor = await(stage.callboard.spawn("/notes", Notes::new, Stage.QUICK));
    assertThat(numbers(3)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aMessageThatFailsIsTriedAsOftenAsAnyAndParked() throws Exception {
    Future<Void> fails = actor.tell(new Order.Fail(1));
    Future<Void> behind = actor.tell(new Order.Note(2));
    await(fails);
    await(behind);
    assertThat(numbers(3)).containsExactly(0, 2, 3);
    assertThat(failures).hasValue(2);
    assertThat(await(stage.callboard.admin().parked(10))).hasSize(1);
  }

  @Test
  void aStashedMessageComesWhenItIsReleased() throws Exception {
    await(actor.tell(new Order.Aside(1)));
    await(actor.tell(new Order.Note(2)));
    assertThat(numbers(3)).containsExactly(0, 2, 1, 3);
  }

  @Test
  void prioritiesDoNotChangeTheOrderOfTheRest() throws Exception {
    List<Future<Void>> told = new ArrayList<>();
    List<Integer> normal = new ArrayList<>(List.of(0));
    for (int i = 1; i < 300; i++) {
      boolean high = i % 7 == 0;
      Order order = new Order.Note(high ? -i : i);
      told.add(high ? actor.tell(order, TellOptions.priority(Priority.HIGH)) : actor.tell(order));
      if (!high) {
        normal.add(i);
      }
    }
    await(Future.all(told));
    normal.add(300);
    assertThat(numbers(300)).hasSize(301).filteredOn(number -> number >= 0).isEqualTo(normal);
  }
}
