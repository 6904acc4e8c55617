package io.callboard.internal.activation;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardOptions;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimeoutWheel;
import io.callboard.internal.node.TestNode;
import io.callboard.internal.turn.Between;
import io.callboard.store.ActorRecord;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.store.memory.MemoryStore;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What deleted actors leave is removed many at a time, each until it is settled. */
class DeletedActorsTest {
  private static final StoredRecord REMAINS = new StoredRecord(ActorRecord.EMPTY, 3);
  private static final ActorPath A = ActorPath.of("/s/a");
  private static final ActorPath B = ActorPath.of("/s/b");
  private static final ActorPath C = ActorPath.of("/s/c");

  private final AtomicLong nowNs = new AtomicLong();
  private final Vertx vertx = Vertx.vertx();
  private final NodeContext node =
      new NodeContext(
          (VertxInternal) vertx,
          new CallboardOptions().time(new Still()),
          new TimeoutWheel((millis, task) -> {}, nowNs::get));
  private final ActiveActors activeActors = new ActiveActors(node);
  private final Between<Store> store = new Between<>(Store.class, new MemoryStore());
  private final List<Set<ActorPath>> asked = new CopyOnWriteArrayList<>();
  private final DeletedActors deletedActors =
      new DeletedActors(node, store.front(), activeActors, DeletedActorsTest::lease);

  /** Time that passes only by hand. */
  private final class Still implements Time {
    @Override
    public Clock clock() {
      return Clock.systemUTC();
    }

    @Override
    public long nanoTime() {
      return nowNs.get();
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      throw new UnsupportedOperationException();
    }
  }

  /** Each space is one partition; that of the lost has another owner. */
  private static Optional<Lease> lease(ActorPath path) {
    return path.space().equals("lost")
        ? Optional.empty()
        : Optional.of(new Lease(path.partition(1), 1, "node", "boot", 0));
  }

  @BeforeEach
  void removeAll() {
    answer(Future.succeededFuture(Map.of()));
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  @SuppressWarnings("unchecked") // by the signature of remove
  private void answer(Future<Map<ActorPath, Throwable>> stay) {
    store.answer(
        "remove",
        call -> {
          asked.add(Set.copyOf(((Map<ActorPath, StoredRecord>) call.arguments().get(1)).keySet()));
          return stay;
        });
  }

  private void on(Runnable task) throws Exception {
    Promise<Void> done = Promise.promise();
    node.onDurableContext(
        done,
        () -> {
          task.run();
          done.complete();
        });
    await(done.future());
  }

  private void add(ActorPath... paths) throws Exception {
    on(() -> List.of(paths).forEach(path -> deletedActors.add(path, REMAINS)));
  }

  private void sweepAfter(Duration passed) throws Exception {
    long unused = nowNs.addAndGet(passed.toNanos());
    on(deletedActors::sweep);
    on(() -> {}); // what the store answered was taken
  }

  @Test
  void manyOfAPartitionGoAtATimeWhenNoPushCanBeUnderWayAnyMore() throws Exception {
    List<ActorPath> all = new ArrayList<>();
    for (int i = 0; i < Limits.REMOVED_ACTORS + 10; i++) {
      all.add(ActorPath.of("/s/x" + i));
    }
    add(all.toArray(ActorPath[]::new));
    add(ActorPath.of("/t/one"), ActorPath.of("/t/two"), ActorPath.of("/lost/one"));
    sweepAfter(Duration.ofMillis(29_999));
    assertThat(asked).isEmpty();
    sweepAfter(Duration.ofMillis(1));
    assertThat(asked)
        .containsExactlyInAnyOrder(
            Set.copyOf(all.subList(0, Limits.REMOVED_ACTORS)),
            Set.copyOf(all.subList(Limits.REMOVED_ACTORS, all.size())),
            Set.of(ActorPath.of("/t/one"), ActorPath.of("/t/two")));
    sweepAfter(Duration.ofMinutes(1));
    assertThat(asked).as("each once").hasSize(3);
  }

  @Test
  void anActorThatStaysIsTriedAgainUnlessItHasChanged() throws Exception {
    add(A, B, C);
    answer(
        Future.succeededFuture(
            Map.of(A, StoreException.conflict("it has mail"), B, TestNode.unavailable())));
    sweepAfter(Duration.ofSeconds(30));
    removeAll();
    sweepAfter(Duration.ofSeconds(30));
    assertThat(asked).containsExactly(Set.of(A, B, C), Set.of(B));
    sweepAfter(Duration.ofSeconds(30));
    assertThat(asked).hasSize(2);
  }

  @Test
  void allAreTriedAgainIfItIsUnknownWhatWasRemoved() throws Exception {
    add(A, B);
    answer(Future.failedFuture(TestNode.unavailable()));
    sweepAfter(Duration.ofSeconds(30));
    answer(Future.failedFuture(StoreException.conflict("the partition has another owner")));
    sweepAfter(Duration.ofSeconds(30));
    sweepAfter(Duration.ofSeconds(30));
    assertThat(asked).containsExactly(Set.of(A, B), Set.of(A, B));
  }

  @Test
  void noneBeginsAnewBeforeItIsKnownWhatBecameOfIt() throws Exception {
    Promise<Map<ActorPath, Throwable>> answer = Promise.promise();
    answer(answer.future());
    add(A, B);
    sweepAfter(Duration.ofSeconds(30));
    List<Future<Void>> left = new ArrayList<>();
    on(() -> left.addAll(List.of(activeActors.left(A), activeActors.left(B))));
    assertThat(left).noneMatch(Future::isComplete);
    answer.complete(Map.of(A, StoreException.conflict("it has mail")));
    for (Future<Void> each : left) {
      await(each);
    }
  }
}
