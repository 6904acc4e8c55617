package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryFaults;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.actor.Effect;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of what remains of a durable actor that deletes itself, and of its mail. */
class DeletionTest {
  private final MemoryCell cell = new MemoryCell();

  @RegisterExtension
  final CallboardExtension node =
      new CallboardExtension(options -> options.store(() -> store(new MemoryStore(cell))));

  /** Whether the answers of removals are lost, each of which has been made. */
  private volatile boolean removalsAreUnknown;

  private ManualTime time;
  private Callboard callboard;

  @BeforeEach
  void start(Callboard given, ManualTime manual) {
    callboard = given;
    time = manual;
  }

  private Store store(Store memory) {
    return Intercepted.of(
        Store.class,
        memory,
        call -> {
          Object answer = call.proceed();
          return call.is("remove") && removalsAreUnknown
              ? Future.failedFuture(StoreException.unavailable("no connection", null))
              : answer;
        });
  }

  sealed interface Order {
    record Put(long amount) implements Order {}

    record Clear(String heir) implements Order {}

    record Look() implements Order {}
  }

  record Put(long amount) {}

  record Sum(long value, long puts) {}

  /** Ends on request, and tells another actor what it had. */
  static final class Purse extends PersistentActor<Order, Put, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0, 0);
    }

    @Override
    protected Sum apply(Sum sum, Put event) {
      return new Sum(sum.value() + event.amount(), sum.puts() + 1);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Put.class, this::put)
          .message(Order.Look.class, look -> reply(state()))
          .message(Order.Clear.class, this::clear);
    }

    private void put(Order.Put put) {
      persist(new Put(put.amount()));
      startDurableTimer("later", Duration.ofDays(1), new Order.Put(1));
      reply(state());
    }

    private void clear(Order.Clear clear) {
      persist(new Put(1));
      reply(state());
      tell(callboard().durableRef(clear.heir(), Order.class), new Order.Put(state().value()));
      deleteSelf();
    }
  }

  /** Durable actor without events. */
  static final class Pocket extends DurableStateActor<Order, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0, 0);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
              Order.Put.class,
              put -> {
                update(new Sum(state().value() + put.amount(), state().puts() + 1));
                reply(state());
              })
          .message(Order.Look.class, look -> reply(state()))
          .message(
              Order.Clear.class,
              clear -> {
                reply(state());
                deleteSelf();
              });
    }
  }

  private static ActorOptions every(int events) {
    return new ActorOptions().snapshots(SnapshotPolicy.every(events));
  }

  private Sum order(String path, Order order) throws Exception {
    return await(callboard.durableRef(path, Order.class).ask(order, Sum.class));
  }

  /** Returns what is stored of it besides its record. */
  private String left(String path) {
    MemoryStore reader = new MemoryStore(cell, Runnable::run, MemoryFaults.NONE);
    var unused = reader.open(new NodeIdentity("reader", "reader", "reader")).result();
    ActorPath actor = ActorPath.of(path);
    Lease lease = reader.leases().result().get(actor.partition(MemoryCell.DEFAULT_PARTITIONS));
    Loaded loaded = reader.load(actor, lease).result();
    int snapshots = loaded.record().orElseThrow().record().snapshots().size();
    reader.close();
    return "%d entries, %d snapshots, %d timers"
        .formatted(loaded.journal().size(), snapshots, loaded.outbox().size());
  }

  @Test
  void aDeletedActorLeavesNothingAndBeginsAnew() throws Exception {
    await(callboard.spawn("/purse", Purse::new, every(2)));
    await(callboard.spawn("/heir", Purse::new, every(1_000)));
    for (int i = 0; i < 7; i++) {
      order("/purse", new Order.Put(10));
    }
    // a snapshot is written beside the turns
    Eventually.assertThat(() -> assertThat(left("/purse")).doesNotContain("0 "));
    assertThat(order("/purse", new Order.Clear("/heir"))).isEqualTo(new Sum(71, 8));
    assertThat(order("/purse", new Order.Look())).isEqualTo(new Sum(0, 0));
    assertThat(order("/heir", new Order.Look()).value()).as("what the turn sent").isEqualTo(71);
    Eventually.assertThat(
        () -> assertThat(left("/purse")).isEqualTo("0 entries, 0 snapshots, 0 timers"));
    assertThat(order("/purse", new Order.Put(5))).isEqualTo(new Sum(5, 1));
    await(callboard.stop("/purse"));
    await(callboard.spawn("/purse", Purse::new, every(2)));
    assertThat(order("/purse", new Order.Look())).isEqualTo(new Sum(5, 1));
    assertThat(await(callboard.admin().failures("/purse"))).isEmpty();
  }

  @Test
  void aLongJournalGoesInSeveralCommits() throws Exception {
    await(callboard.spawn("/purse", Purse::new, every(1_000_000)));
    for (int i = 0; i < 450; i++) {
      order("/purse", new Order.Put(1));
    }
    assertThat(left("/purse")).startsWith("450 entries");
    order("/purse", new Order.Clear("/heir"));
    Eventually.assertThat(() -> assertThat(left("/purse")).startsWith("0 entries"));
    assertThat(order("/purse", new Order.Put(5))).isEqualTo(new Sum(5, 1));
  }

  @Test
  void mailThatWaitsIsHandledByTheOneThatBeginsAnew() throws Exception {
    await(callboard.spawn("/purse", Purse::new, every(1_000)));
    order("/purse", new Order.Put(10));
    List<Future<Sum>> all = new ArrayList<>();
    ActorRef<Order> purse = callboard.durableRef("/purse", Order.class);
    all.add(purse.ask(new Order.Put(1), Sum.class));
    all.add(purse.ask(new Order.Clear("/nobody"), Sum.class));
    all.add(purse.ask(new Order.Put(3), Sum.class));
    all.add(purse.ask(new Order.Put(4), Sum.class));
    await(Future.all(all));
    assertThat(all.stream().map(each -> each.result().value())).containsExactly(11L, 12L, 3L, 7L);
  }

  @Test
  void anActorWithoutEventsCanDeleteItselfToo() throws Exception {
    await(callboard.spawn("/pocket", Pocket::new, new ActorOptions()));
    order("/pocket", new Order.Put(10));
    assertThat(order("/pocket", new Order.Clear(""))).isEqualTo(new Sum(10, 1));
    assertThat(order("/pocket", new Order.Look())).isEqualTo(new Sum(0, 0));
    assertThat(left("/pocket")).isEqualTo("0 entries, 0 snapshots, 0 timers");
    assertThat(order("/pocket", new Order.Put(3))).isEqualTo(new Sum(3, 1));
  }

  @Test
  void theRestOfADeletedActorGoesWhenItIsPassivated() throws Exception {
    ActorOptions options = every(3).passivateAfter(Duration.ofMinutes(1));
    await(callboard.host("/purses", Purse::new, options));
    order("/purses/one", new Order.Put(10));
    order("/purses/two", new Order.Put(10));
    order("/purses/one", new Order.Clear("/purses/two"));
    assertThat(order("/purses/two", new Order.Look()).value()).isEqualTo(21);
    order("/purses/three", new Order.Clear("/purses/two"));
    order("/purses/three", new Order.Put(10)); // and is there again
    assertThat(await(callboard.admin().stored("/purses/one"))).isPresent();
    time.advance(Duration.ofMinutes(5));
    assertThat(await(callboard.admin().stored("/purses/one"))).isEmpty();
    assertThat(await(callboard.admin().stored("/purses/two"))).isPresent();
    assertThat(await(callboard.admin().stored("/purses/three"))).isPresent();
    assertThat(order("/purses/one", new Order.Put(4))).isEqualTo(new Sum(4, 1));
    assertThat(order("/purses/two", new Order.Look()).puts()).isEqualTo(3);
  }

  @Test
  void aHostedActorForWhichNothingWaitsDoesNotBeginAnew() throws Exception {
    AtomicInteger made = new AtomicInteger();
    await(callboard.spawn("/heir", Purse::new, every(1_000)));
    await(
        callboard.host(
            "/purses",
            () -> {
              made.incrementAndGet();
              return new Purse();
            },
            every(3).passivateAfter(Duration.ofHours(1))));
    int cleared = clearsUntilOneLeaves(made);
    String path = "/purses/" + cleared;
    int before = made.get();
    assertThat(order("/heir", new Order.Look()).value())
        .as("what the turns sent")
        .isEqualTo(11L * cleared);
    time.advance(Duration.ofSeconds(20));
    assertThat(await(callboard.admin().stored(path))).as("a push may be under way").isPresent();
    time.advance(Duration.ofSeconds(20));
    Eventually.assertThat(() -> assertThat(await(callboard.admin().stored(path))).isEmpty());
    assertThat(made.get()).isEqualTo(before);
    assertThat(order(path, new Order.Put(4))).isEqualTo(new Sum(4, 1));
    assertThat(made.get()).isEqualTo(before + 1);
  }

  /**
   * Clears one purse after the other until one leaves memory. One whose mailbox may have more mail
   * as it is cleared, because it has not been read to its end, begins anew: it cannot know that
   * nothing waits. That happens on a busy machine. Returns the number of the one that left.
   */
  private int clearsUntilOneLeaves(AtomicInteger made) throws Exception {
    for (int i = 1; i <= 20; i++) {
      String path = "/purses/" + i;
      order(path, new Order.Put(10));
      int before = made.get();
      assertThat(order(path, new Order.Clear("/heir"))).isEqualTo(new Sum(11, 2));
      Eventually.assertThat(() -> assertThat(made.get() > before || !runs(path)).as(path).isTrue());
      if (made.get() == before) {
        return i;
      }
    }
    throw new AssertionError("each of 20 actors began anew");
  }

  private boolean runs(String path) {
    return await(callboard.admin().running()).stream()
        .anyMatch(status -> status.path().toString().equals(path));
  }

  @Test
  void aHostedActorThatBeginsAnewInTimeKeepsItsRecord() throws Exception {
    await(callboard.host("/purses", Purse::new, every(3).passivateAfter(Duration.ofHours(1))));
    order("/purses/one", new Order.Put(10));
    order("/purses/one", new Order.Clear("/purses/two"));
    time.advance(Duration.ofSeconds(20));
    assertThat(order("/purses/one", new Order.Put(4))).isEqualTo(new Sum(4, 1));
    time.advance(Duration.ofMinutes(5));
    assertThat(order("/purses/one", new Order.Look())).isEqualTo(new Sum(4, 1));
    assertThat(await(callboard.admin().stored("/purses/one"))).isPresent();
  }

  /** Versions begin anew, too: the record may have the one that was to be removed. */
  @Test
  void anActorThatBeganAnewAfterAnUnknownRemovalKeepsItsRecord() throws Exception {
    ActorOptions options = new ActorOptions().passivateAfter(Duration.ofSeconds(5));
    await(callboard.host("/pockets", Pocket::new, options));
    int most = 5;
    for (int puts = 1; puts <= most; puts++) {
      order("/pockets/" + puts, new Order.Put(10));
      order("/pockets/" + puts, new Order.Clear(""));
    }
    removalsAreUnknown = true;
    time.advance(Duration.ofSeconds(35));
    Eventually.assertThat(
        () -> assertThat(await(callboard.admin().stored("/pockets/1"))).isEmpty());
    removalsAreUnknown = false;
    for (int puts = 1; puts <= most; puts++) {
      for (int i = 0; i < puts; i++) {
        order("/pockets/" + puts, new Order.Put(1));
      }
    }
    time.advance(Duration.ofSeconds(10));
    Eventually.assertThat(() -> assertThat(await(callboard.admin().running())).isEmpty());
    time.advance(Duration.ofMinutes(1));
    for (int puts = 1; puts <= most; puts++) {
      assertThat(order("/pockets/" + puts, new Order.Look())).isEqualTo(new Sum(puts, puts));
    }
  }

  @Test
  void aTestedActorDeletesItselfAlike() {
    TestedActor<Order> purse = TestedActor.of(Purse::new).start();
    purse.tell(new Order.Put(10));
    Effects cleared = purse.tell(new Order.Clear("/heir"));
    assertThat(cleared.of(Effect.Deleted.class)).hasSize(1);
    assertThat(purse.tell(new Order.Look()).answer(Sum.class)).isEqualTo(new Sum(0, 0));
    purse.tell(new Order.Put(3));
    purse.restart();
    assertThat(purse.tell(new Order.Look()).answer(Sum.class)).isEqualTo(new Sum(3, 1));
  }
}
