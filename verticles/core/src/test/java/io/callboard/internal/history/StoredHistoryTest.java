package io.callboard.internal.history;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.admin.ActorStatus.State;
import io.callboard.internal.Waits;
import io.callboard.internal.node.TestNode;
import io.callboard.internal.node.TestNode.Add;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.internal.turn.Between;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The history in the store is written behind everything else, and holds up nothing. */
class StoredHistoryTest {
  private static final ActorOptions OPTIONS =
      new ActorOptions()
          .attempts(1)
          .backoff(
              Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1), Backoff.Jitter.NONE));

  private final TestNode node = new TestNode();
  private final LinkedBlockingQueue<Promise<Void>> writes = new LinkedBlockingQueue<>();
  private ActorRef<Add> counter;

  @BeforeEach
  void start() throws Exception {
    counter = await(node.open().spawn("/counter", Counter::new, OPTIONS));
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  /** Zero makes it fail. */
  private void fail() throws Exception {
    await(counter.tell(new Add(0)));
  }

  private int total() throws Exception {
    return await(counter.ask(new Add(1), TestNode.Total.class)).value();
  }

  private void holdWrites() {
    node.store.answer(
        "keepFailures",
        call -> {
          Promise<Void> write = Promise.promise();
          writes.add(write);
          return write.future().compose(v -> (Future<?>) goOn(call));
        });
  }

  private static Object goOn(Between.Call call) {
    try {
      return call.goOn();
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  private void finishUntil(List<Failure> known) throws Exception {
    while (!withoutStacks(stored()).equals(withoutStacks(known))) {
      Waits.next(writes).complete();
    }
    assertStacks(stored(), known);
  }

  private List<Failure> stored() throws Exception {
    return await(node.store.front().failures(counter.path()));
  }

  private static List<Failure> withoutStacks(List<Failure> failures) {
    return failures.stream().map(each -> each.withStack(null)).toList();
  }

  /** Stacks have a limit of their own where they are stored: the newest are, as they are known. */
  private static void assertStacks(List<Failure> stored, List<Failure> known) {
    assertThat(stored.get(stored.size() - 1).stack()).isNotNull();
    for (int i = 0; i < stored.size(); i++) {
      if (stored.get(i).stack() != null) {
        assertThat(stored.get(i)).isEqualTo(known.get(i));
      }
    }
  }

  @Test
  void anActorThatDoesNotFailReadsAndWritesNothing() throws Exception {
    assertThat(total()).isEqualTo(1);
    assertThat(node.store.calls("failures")).isZero();
    assertThat(node.store.calls("keepFailures")).isZero();
  }

  @Test
  void aHistoryHasOneWriteUnderWayAndTheNewestWins() throws Exception {
    holdWrites();
    fail();
    Promise<Void> first = Waits.next(writes);
    for (int i = 0; i < 5; i++) {
      fail();
    }
    assertThat(total()).as("the restarts wait for no write").isEqualTo(1);
    assertThat(writes).as("under way").isEmpty();
    first.complete();
    Waits.next(writes).complete();
    assertThat(total()).isEqualTo(2);
    List<Failure> known = await(node.failures(counter.path()));
    assertThat(known).hasSize(12);
    finishUntil(known);
    assertThat(node.store.calls("keepFailures")).isLessThanOrEqualTo(4);
  }

  @Test
  void aWriteThatFailsIsTriedWithTheNextFailure() throws Exception {
    holdWrites();
    fail();
    Waits.next(writes).fail(TestNode.unavailable());
    assertThat(total()).isEqualTo(1);
    fail();
    Promise<Void> next = Waits.next(writes);
    next.complete();
    assertThat(total()).isEqualTo(2);
    List<Failure> known = await(node.failures(counter.path()));
    assertThat(known).hasSize(4);
    finishUntil(known);
  }

  @Test
  void anUnreadableHistoryIsNotOverwritten() throws Exception {
    node.store.answer("failures", call -> Future.failedFuture(TestNode.unavailable()));
    fail();
    assertThat(total()).isEqualTo(1);
    assertThat(node.state()).isEqualTo(State.RUNNING);
    assertThat(node.store.calls("keepFailures")).isZero();
    node.store.answerNoMore("failures");
    fail();
    assertThat(total()).isEqualTo(2);
    while (stored().size() < 4) {
      Thread.onSpinWait();
    }
  }
}
