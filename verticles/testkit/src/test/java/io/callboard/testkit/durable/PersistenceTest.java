package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.Named;
import io.callboard.codecs.OldEvent;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Failure;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of the guarantees of a persistent actor, on one node with a store in memory. */
class PersistenceTest {
  private static final int LARGE = 700_000;

  /** Sums that no code reads. */
  private static final Set<Long> UNREADABLE = ConcurrentHashMap.newKeySet();

  /** Events that no code applies. */
  private static final Set<Long> REFUSED = ConcurrentHashMap.newKeySet();

  private static final AtomicInteger STARTING = new AtomicInteger();
  private static final AtomicInteger MOST_STARTING = new AtomicInteger();

  @RegisterExtension
  final CallboardExtension node = new CallboardExtension(options -> options.recoveries(3));

  private Callboard callboard;

  @BeforeEach
  void start(Callboard given) throws Exception {
    UNREADABLE.clear();
    REFUSED.clear();
    callboard = given;
  }

  record Add(List<Long> amounts, int pad) {
    static Add of(long... amounts) {
      return new Add(LongStream.of(amounts).boxed().toList(), 0);
    }
  }

  record Added(long amount) {}

  record Sum(long value, long events, String pad) {
    Sum {
      if (UNREADABLE.contains(value)) {
        throw new IllegalArgumentException("nobody reads " + value);
      }
    }
  }

  /** Actor that adds up; its state can be made large. */
  static class Ledger extends PersistentActor<Add, Added, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0, 0, "");
    }

    @Override
    protected Sum apply(Sum sum, Added event) {
      if (REFUSED.contains(event.amount())) {
        throw new IllegalStateException("nobody applies " + event.amount());
      }
      return new Sum(sum.value() + event.amount(), sum.events() + 1, sum.pad());
    }

    @Override
    protected boolean snapshotWhen(Sum sum, Added event) {
      return event.amount() == 1_000;
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            persistAll(add.amounts().stream().map(Added::new).toList());
            reply(state());
          });
    }
  }

  /** Ledger whose state takes several parts of the blob log. */
  static final class LargeLedger extends Ledger {
    @Override
    protected Sum initial() {
      return new Sum(0, 0, "x".repeat(LARGE));
    }
  }

  private static ActorOptions every(int events) {
    return new ActorOptions(QUICK).snapshots(SnapshotPolicy.every(events));
  }

  private Sum add(String path, long... amounts) throws Exception {
    return await(callboard.durableRef(path, Add.class).ask(Add.of(amounts), Sum.class));
  }

  private List<StoredSnapshot> snapshots(String path) {
    return callboard
        .admin()
        .stored(path)
        .map(found -> found.map(PersistenceTest::snapshots))
        .await()
        .orElse(List.of());
  }

  private static List<StoredSnapshot> snapshots(StoredActor actor) {
    return actor.record().snapshots();
  }

  private long newest(String path) {
    return snapshots(path).stream().findFirst().map(StoredSnapshot::event).orElse(0L);
  }

  private void snapshotsAsOf(String path, Long... events) {
    Eventually.assertThat(
        () ->
            assertThat(snapshots(path)).extracting(StoredSnapshot::event).containsExactly(events));
  }

  private ActorStatus status(String path) throws Exception {
    return await(callboard.admin().running()).stream()
        .filter(each -> each.path().toString().equals(path))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void severalEventsOfATurnAreAllThereAfterARestart() throws Exception {
    await(callboard.spawn("/ledger", Ledger::new, every(1_000)));
    assertThat(add("/ledger", 1, 2, 3).value()).isEqualTo(6);
    assertThat(add("/ledger").events()).as("a turn without events").isEqualTo(3);
    assertThat(add("/ledger", 4).value()).isEqualTo(10);
    await(callboard.stop("/ledger"));
    await(callboard.spawn("/ledger", Ledger::new, every(1_000)));
    assertThat(add("/ledger")).isEqualTo(new Sum(10, 4, ""));
    assertThat(snapshots("/ledger")).isEmpty();
  }

  @Test
  void snapshotsAreMadeAndKeptAsThePolicySays() throws Exception {
    await(callboard.spawn("/ledger", Ledger::new, every(10)));
    for (int i = 1; i <= 4; i++) {
      add("/ledger", LongStream.rangeClosed(1, 10).toArray());
      long newest = 10L * i;
      Eventually.assertThat(() -> assertThat(newest("/ledger")).isEqualTo(newest));
    }
    snapshotsAsOf("/ledger", 40L, 30L);
    add("/ledger", 1_000); // the predicate's
    snapshotsAsOf("/ledger", 41L, 40L);
    await(callboard.stop("/ledger"));
    await(callboard.spawn("/ledger", Ledger::new, every(10)));
    assertThat(add("/ledger", 5)).isEqualTo(new Sum(220 + 1_000 + 5, 42, ""));
  }

  @Test
  void aLargeStateGoesToTheBlobLogAndOldOnesLeaveIt() throws Exception {
    await(callboard.spawn("/large", LargeLedger::new, every(5)));
    for (int i = 1; i <= 3; i++) {
      add("/large", 1, 1, 1, 1, 1);
      long newest = 5L * i;
      Eventually.assertThat(() -> assertThat(newest("/large")).isEqualTo(newest));
    }
    snapshotsAsOf("/large", 15L, 10L);
    assertThat(snapshots("/large"))
        .allSatisfy(each -> assertThat(each.blob().bytes()).isGreaterThan(LARGE));
    await(callboard.stop("/large"));
    await(callboard.spawn("/large", LargeLedger::new, every(5)));
    Sum sum = add("/large", 1);
    assertThat(sum.events()).isEqualTo(16);
    assertThat(sum.pad()).hasSize(LARGE);
  }

  @Test
  void anUnreadableSnapshotFallsBackToTheOneBeforeAndIsTold() throws Exception {
    await(callboard.spawn("/ledger", Ledger::new, every(3)));
    add("/ledger", 1, 1, 1);
    snapshotsAsOf("/ledger", 3L);
    add("/ledger", 1, 1, 1);
    snapshotsAsOf("/ledger", 6L, 3L);
    await(callboard.stop("/ledger"));
    UNREADABLE.add(6L);
    // and the event that leads over it: what is unreadable is only what was stored of it
    await(
        callboard.spawn(
            "/ledger",
            () ->
                new Ledger() {
                  @Override
                  protected Sum apply(Sum sum, Added event) {
                    UNREADABLE.clear();
                    return super.apply(sum, event);
                  }
                },
            every(3)));
    snapshotsAsOf("/ledger", 6L, 3L);
    assertThat(add("/ledger", 1)).isEqualTo(new Sum(7, 7, ""));
    assertThat(await(callboard.admin().failures("/ledger")))
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.SNAPSHOT);
              assertThat(failure.cause()).contains("nobody reads 6");
            });
    assertThat(status("/ledger").state()).isEqualTo(ActorStatus.State.RUNNING);
  }

  @Test
  void theEventsFromTheFirstOnStandForTheFirstSnapshot() throws Exception {
    await(callboard.spawn("/ledger", Ledger::new, every(3)));
    add("/ledger", 1, 1, 1);
    snapshotsAsOf("/ledger", 3L);
    await(callboard.stop("/ledger"));
    UNREADABLE.add(3L);
    await(
        callboard.spawn(
            "/ledger",
            () ->
                new Ledger() {
                  @Override
                  protected Sum apply(Sum sum, Added event) {
                    UNREADABLE.clear();
                    return super.apply(sum, event);
                  }
                },
            every(3)));
    assertThat(add("/ledger", 1)).isEqualTo(new Sum(4, 4, ""));
  }

  @Test
  void aStateThatCannotBeWrittenIsToldAndTheEventsStay() throws Exception {
    await(
        callboard.spawn(
            "/ledger",
            () ->
                new Ledger() {
                  @Override
                  protected Sum apply(Sum sum, Added event) {
                    return new Sum(
                        sum.value() + event.amount(),
                        sum.events() + 1,
                        sum.events() == 2 ? null : "");
                  }
                },
            every(3)));
    add("/ledger", 1, 1, 1);
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().failures("/ledger").await())
                .extracting(Failure::kind)
                .containsExactly(Failure.Kind.SNAPSHOT));
    assertThat(snapshots("/ledger")).isEmpty();
    add("/ledger", 1, 1, 1);
    snapshotsAsOf("/ledger", 6L);
  }

  @Test
  void anEventThatCannotBeReplayedIsNamedWithItsNumber() throws Exception {
    await(callboard.spawn("/ledger", Ledger::new, every(1_000)));
    add("/ledger", 1, 2);
    add("/ledger", 3, 13, 4);
    await(callboard.stop("/ledger"));
    REFUSED.add(13L);
    assertThatThrownBy(() -> await(callboard.spawn("/ledger", Ledger::new, every(1_000))))
        .hasMessageContaining(
            "event 4 (\"added\" version 1) of /ledger cannot be replayed: nobody applies 13");
    REFUSED.clear();
    await(callboard.admin().resume("/ledger"));
    assertThat(add("/ledger")).isEqualTo(new Sum(23, 5, ""));
  }

  @Test
  void eventsWhoseRefusalAHandlerCatchesNeverHappened() throws Exception {
    await(
        callboard.spawn(
            "/ledger",
            () ->
                new Ledger() {
                  @Override
                  protected void protocol(Protocol<Add> on) {
                    on.message(
                        Add.class,
                        add -> {
                          try {
                            persistAll(add.amounts().stream().map(Added::new).toList());
                          } catch (IllegalStateException e) {
                            // the rest is left out
                          }
                          reply(state());
                        });
                  }
                },
            every(1_000)));
    REFUSED.add(13L);
    assertThat(add("/ledger", 1, 13, 2)).isEqualTo(new Sum(1, 1, ""));
    await(callboard.stop("/ledger"));
    await(callboard.spawn("/ledger", Ledger::new, every(1_000)));
    assertThat(add("/ledger")).isEqualTo(new Sum(1, 1, ""));
  }

  /** Actor that once was without events. */
  static final class Counter extends io.callboard.DurableStateActor<Add, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0, 0, "");
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            update(new Sum(state().value() + add.amounts().get(0), 0, ""));
            reply(state());
          });
    }
  }

  @Test
  void aStateThatIsInNoEventIsNotMadeUp() throws Exception {
    await(callboard.spawn("/ledger", Counter::new, every(1_000)));
    assertThat(add("/ledger", 500).value()).isEqualTo(500);
    await(callboard.stop("/ledger"));
    await(callboard.spawn("/ledger", Ledger::new, every(1_000)));
    assertThat(add("/ledger", 7)).isEqualTo(new Sum(507, 1, ""));
    await(callboard.stop("/ledger"));
    UNREADABLE.add(500L);
    assertThatThrownBy(() -> await(callboard.spawn("/ledger", Ledger::new, every(1_000))))
        .hasMessageContaining("no snapshot can be read, and the events before them are deleted");
    UNREADABLE.clear();
    await(callboard.admin().resume("/ledger"));
    assertThat(add("/ledger")).isEqualTo(new Sum(507, 1, ""));
  }

  // Old events.

  @Named("merged")
  record Merged(long amount) {}

  /** Understands other events: pairs of the old ones, one of the old ones twice, and not 99. */
  static final class Merging extends PersistentActor<Add, Merged, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0, 0, "");
    }

    @Override
    protected Sum apply(Sum sum, Merged event) {
      return new Sum(sum.value() + event.amount(), sum.events() + 1, "");
    }

    @Override
    protected Optional<EventUpcaster> upcaster() {
      return Optional.of(new Pairs());
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            add.amounts().forEach(amount -> persist(new Merged(amount)));
            reply(state());
          });
    }
  }

  static final class Pairs implements EventUpcaster {
    private final List<OldEvent> held = new ArrayList<>();

    @Override
    public void upcast(OldEvent event, Consumer<OldEvent> next) {
      long amount = event.body().get("amount").asLong();
      if (event.is("merged")) {
        end(next);
        next.accept(event);
      } else if (amount == 50) { // one became two
        next.accept(event.as("merged", 1, body(event, 20)));
        next.accept(event.as("merged", 1, body(event, 30)));
      } else if (amount != 99) { // which is of no interest any more
        held.add(event);
        if (held.size() == 2) { // two became one
          long sum = held.stream().mapToLong(each -> each.body().get("amount").asLong()).sum();
          next.accept(event.as("merged", 1, body(event, sum)));
          held.clear();
        }
      }
    }

    private static ObjectNode body(OldEvent event, long amount) {
      return event.body().deepCopy().put("amount", amount);
    }

    @Override
    public void end(Consumer<OldEvent> next) {
      held.forEach(each -> next.accept(each.as("merged", 1, each.body())));
      held.clear();
    }
  }

  @Test
  void oldEventsAreSplitMergedAndDropped() throws Exception {
    await(callboard.spawn("/ledger", Ledger::new, every(1_000)));
    add("/ledger", 1, 50, 2); // 20, 30 and 3
    add("/ledger", 99, 4, 5); // 9
    add("/ledger", 7); // held back to the end
    await(callboard.stop("/ledger"));
    await(callboard.spawn("/ledger", Merging::new, every(1_000)));
    assertThat(add("/ledger", 8)).isEqualTo(new Sum(69 + 8, 6, ""));
    await(callboard.stop("/ledger"));
    await(callboard.spawn("/ledger", Merging::new, every(1_000)));
    assertThat(add("/ledger")).isEqualTo(new Sum(77, 6, ""));
  }

  // Many at once.

  /** Ledger that counts how many are recovered at the same time. */
  static final class Counted extends Ledger {
    private boolean begun;

    @Override
    protected Sum apply(Sum sum, Added event) {
      if (!begun) {
        begun = true;
        MOST_STARTING.accumulateAndGet(STARTING.incrementAndGet(), Math::max);
      }
      return super.apply(sum, event);
    }

    @Override
    protected Future<?> started() {
      if (begun) {
        STARTING.decrementAndGet();
      }
      return super.started();
    }
  }

  @Test
  void onlySoManyAreReadAtOnceAndAllOfThemAreRead() throws Exception {
    List<String> paths = IntStream.range(0, 60).mapToObj(i -> "/many/l" + i).toList();
    await(callboard.host("/many", Ledger::new, every(1_000)));
    for (String path : paths) {
      add(path, 1, 2, 3);
    }
    for (String path : paths) {
      await(callboard.stop(path));
    }
    STARTING.set(0);
    MOST_STARTING.set(0);
    List<Future<ActorRef<Add>>> spawned =
        paths.stream().map(path -> callboard.spawn(path, Counted::new, every(1_000))).toList();
    await(Future.all(spawned));
    for (String path : paths) {
      assertThat(add(path).value()).isEqualTo(6);
    }
    assertThat(MOST_STARTING.get()).isBetween(1, 3);
  }
}
