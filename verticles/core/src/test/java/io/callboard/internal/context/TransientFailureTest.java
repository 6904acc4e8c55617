package io.callboard.internal.context;

import static io.callboard.internal.Waits.await;
import static io.callboard.internal.node.TestNode.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.internal.node.TestNode;
import io.callboard.internal.node.TestNode.Add;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.internal.node.TestNode.Total;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.StoreException;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that failures of the store do not count against actors that may not fail once. */
class TransientFailureTest {
  private static final ActorOptions NO_FAILURE =
      new ActorOptions()
          .attempts(1)
          .supervision(new SupervisionOptions().intensity(0, Duration.ofMinutes(1)));

  record Text(String text) {}

  /** Actor whose state is the length of all texts that it was sent. */
  private static final class Note extends DurableStateActor<Text, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Text> on) {
      on.message(
          Text.class,
          text -> {
            update(new Total(state().value() + text.text().length()));
            reply(state());
          });
    }
  }

  private static Future<Object> failing(StoreException cause) {
    return Future.failedFuture(cause);
  }

  @Test
  void aLoadThatFailsIsRepeated() throws Exception {
    try (TestNode node = new TestNode().open()) {
      node.store.answer("load", 2, call -> failing(TestNode.unavailable()));
      Future<ActorRef<Add>> spawned = node.spawn("/a/b", Counter::new, NO_FAILURE);
      assertThat(failure(spawned))
          .hasCauseInstanceOf(StoreException.class)
          .hasMessage("/a/b could not be started: no connection");
      assertThat(await(node.ref("/a/b", Add.class).ask(new Add(2), Total.class)))
          .isEqualTo(new Total(2));
      assertThat(node.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void aReadThatFailsIsFollowedByAnotherLoad() throws Exception {
    for (StoreException cause :
        List.of(TestNode.unavailable(), StoreException.conflict("changed"))) {
      try (TestNode node = new TestNode().open()) {
        ActorRef<Add> counter = await(node.spawn("/a/b", Counter::new, NO_FAILURE));
        Promise<Void> loaded = Promise.promise();
        node.store.answer("read", 1, call -> failing(cause));
        node.store.answer("withMail", call -> Future.succeededFuture(List.of(counter.path())));
        node.store.answer(
            "load",
            call -> {
              loaded.tryComplete();
              return call.goOn();
            });
        node.storeEvents().connected();
        await(loaded.future());
        assertThat(await(counter.ask(new Add(2), Total.class))).isEqualTo(new Total(2));
        assertThat(node.state()).isEqualTo(State.RUNNING);
      }
    }
  }

  @Test
  void aBodyThatCannotBeFetchedNowIsFetchedLater() throws Exception {
    try (TestNode node = new TestNode().open()) {
      node.blobs.answer("read", 2, call -> failing(TestNode.unavailable()));
      await(node.ref("/a/n", Text.class).tell(new Text("x".repeat(100_000))));
      ActorRef<Text> note = await(node.spawn("/a/n", Note::new, NO_FAILURE));
      assertThat(await(note.ask(new Text("y"), Total.class))).isEqualTo(new Total(100_001));
      assertThat(node.blobs.calls("read")).isEqualTo(3);
      assertThat(node.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void aCommitOfWhatIsNotCurrentIsNoFailureOfTheActor() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Add> counter = await(node.spawn("/a/b", Counter::new, NO_FAILURE));
      AtomicInteger turns = new AtomicInteger();
      node.store.answer(
          "commit",
          call -> {
            Commit commit = (Commit) call.arguments().get(0);
            boolean turn = commit.units().get(0).write().isPresent();
            return turn && turns.incrementAndGet() <= 2
                ? Future.succeededFuture(new CommitOutcome.Refused(0, Reason.STALE, "the record"))
                : call.goOn();
          });
      assertThat(await(counter.ask(new Add(2), Total.class))).isEqualTo(new Total(2));
      assertThat(turns).hasValue(3);
      assertThat(node.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void anActorIsInterruptedInARowUntilItHasHandledAMessage() throws Exception {
    try (TestNode node = new TestNode().open()) {
      AtomicBoolean refuses = new AtomicBoolean(true);
      AtomicInteger loads = new AtomicInteger();
      Promise<Void> fourth = Promise.promise();
      node.store.answer(
          "load",
          call -> {
            if (loads.incrementAndGet() == 4) {
              fourth.complete();
            }
            return refuses.get() ? failing(TestNode.unavailable()) : call.goOn();
          });
      Instant before = node.context().clock().instant();
      assertThat(failure(node.spawn("/a/b", Counter::new, NO_FAILURE)))
          .hasMessageContaining("no connection");
      await(fourth.future());
      ActorStatus status = node.status();
      InterruptionStreak streak = Objects.requireNonNull(status.interrupted(), "interruptions");
      assertThat(streak.times()).isGreaterThanOrEqualTo(3);
      assertThat(streak.since()).isBetween(before, streak.last());
      assertThat(streak.isLong()).as("it has just begun").isFalse();
      assertThat(status.failing()).as("it has not failed").isNull();

      refuses.set(false);
      ActorRef<Add> counter = node.ref("/a/b", Add.class);
      assertThat(await(counter.ask(new Add(2), Total.class))).isEqualTo(new Total(2));
      assertThat(await(counter.ask(new Add(3), Total.class))).isEqualTo(new Total(5));
      assertThat(node.status().interrupted()).as("the first of these is handled").isNull();
    }
  }

  @Test
  void aRunningActorWithoutMailIsNotSaidToBeInterrupted() throws Exception {
    try (TestNode node = new TestNode().open()) {
      node.store.answer("load", 2, call -> failing(StoreException.conflict("changed")));
      assertThat(failure(node.spawn("/a/b", Counter::new, NO_FAILURE)))
          .hasMessageContaining("changed");
      await(node.until(State.RUNNING));
      assertThat(node.status().interrupted()).isNull();
    }
  }

  @Test
  void aFailureOfTheStoreInAHandlerIsAnAttemptOfItsMessage() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Add> counter = await(node.spawn("/a/b", Counter::new, NO_FAILURE));
      await(counter.tell(new Add(0)));
      assertThat(await(counter.ask(new Add(2), Total.class))).isEqualTo(new Total(2));
      assertThat(node.context().counters().parked.sum()).isEqualTo(1);
      assertThat(node.state()).isEqualTo(State.RUNNING);
    }
  }

  @Test
  void aDamagedRecordCountsAsAFailure() throws Exception {
    try (TestNode node = new TestNode().open()) {
      node.store.answer("load", call -> failing(StoreException.corrupt("znode /x is damaged")));
      Future<ActorRef<Add>> spawned = node.spawn("/a/b", Counter::new, NO_FAILURE);
      assertThat(failure(spawned)).hasMessageContaining("znode /x is damaged");
      await(node.until(State.FAILED));
    }
  }
}
