package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Failure;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.fsck.Fsck;
import io.callboard.zookeeper.fsck.FsckFinding;
import io.callboard.zookeeper.fsck.FsckOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events and snapshots outlive their node, and damage, on ZooKeeper. */
@Tag("real")
class PersistentActorsTest {
  private static final ActorPath PATH = ActorPath.of("/ledgers/one");
  private static final int LARGE = 1_200_000;
  private static final Layout LAYOUT = new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS);
  private static final Clock LATER =
      Clock.fixed(Instant.parse("2100-01-01T00:00:00Z"), ZoneOffset.UTC);

  @RegisterExtension final NodesOnServer nodes = new NodesOnServer("persistent");
  private ZooKeeper raw;

  sealed interface Order {
    record Add(long amount) implements Order {}

    record Clear() implements Order {}
  }

  record Added(long amount) {}

  record Sum(long value, long events, String pad) {}

  static class Ledger extends PersistentActor<Order, Added, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0, 0, "");
    }

    @Override
    protected Sum apply(Sum sum, Added event) {
      return new Sum(sum.value() + event.amount(), sum.events() + 1, sum.pad());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
              Order.Add.class,
              add -> {
                persist(new Added(add.amount()));
                reply(state());
              })
          .message(
              Order.Clear.class,
              clear -> {
                reply(state());
                deleteSelf();
              });
    }
  }

  /** Ledger whose state takes three parts of the blob log. */
  static final class LargeLedger extends Ledger {
    @Override
    protected Sum initial() {
      return new Sum(0, 0, "x".repeat(LARGE));
    }
  }

  @BeforeEach
  void start() throws Exception {
    raw = nodes.raw();
  }

  private Callboard node(String name) {
    return nodes.open(name, options -> options.recoveries(4));
  }

  private static ActorOptions every(int events) {
    return new ActorOptions()
        .snapshots(SnapshotPolicy.every(events))
        .backoff(
            Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL));
  }

  private static Sum add(Callboard node, String path, long amount) throws Exception {
    return await(node.durableRef(path, Order.class).ask(new Order.Add(amount), Sum.class));
  }

  private static List<StoredSnapshot> snapshots(Callboard node) {
    return node.admin()
        .stored(PATH.toString())
        .map(found -> found.orElseThrow().record().snapshots())
        .await();
  }

  private static void snapshotsAsOf(Callboard node, Long... events) {
    Eventually.assertThat(
        () ->
            assertThat(snapshots(node)).extracting(StoredSnapshot::event).containsExactly(events));
  }

  private Callboard withTwoLargeSnapshots() throws Exception {
    Callboard node = node("first");
    await(node.spawn(PATH.toString(), LargeLedger::new, every(3)));
    for (int i = 0; i < 3; i++) {
      add(node, PATH.toString(), 1);
    }
    snapshotsAsOf(node, 3L);
    for (int i = 0; i < 4; i++) {
      add(node, PATH.toString(), 1);
    }
    snapshotsAsOf(node, 6L, 3L);
    return node;
  }

  @Test
  void aLargeStateIsReadFromTheBlobLogByTheNextNode() throws Exception {
    nodes.close(withTwoLargeSnapshots());
    assertThat(Fsck.run(nodes.options(), FsckOptions.DRY_RUN, LATER))
        .as("its snapshots are in use")
        .noneMatch(finding -> finding.kind() == FsckFinding.Kind.ORPHANED_BLOB);
    Callboard second = node("second");
    await(second.spawn(PATH.toString(), LargeLedger::new, every(1_000)));
    Sum sum = add(second, PATH.toString(), 10);
    assertThat(sum.value()).isEqualTo(17);
    assertThat(sum.events()).isEqualTo(8);
    assertThat(sum.pad()).hasSize(LARGE);
    assertThat(await(second.admin().failures(PATH.toString()))).isEmpty();
  }

  @Test
  void aDamagedSnapshotIsToldAndTheOneBeforeServes() throws Exception {
    Callboard first = withTwoLargeSnapshots();
    StoredSnapshot newest = snapshots(first).get(0);
    nodes.close(first);
    String part = LAYOUT.blob(PATH, newest.blob().id()) + "/1";
    byte[] damaged = raw.getData(part, false, null);
    damaged[1_000] ^= 1;
    raw.setData(part, damaged, -1);
    Callboard second = node("second");
    await(second.spawn(PATH.toString(), LargeLedger::new, every(3)));
    Sum sum = add(second, PATH.toString(), 10);
    assertThat(sum.value()).isEqualTo(17);
    assertThat(sum.events()).isEqualTo(8);
    assertThat(await(second.admin().failures(PATH.toString())))
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Failure.Kind.SNAPSHOT);
              assertThat(failure.cause()).contains("is missing or incomplete");
            });
    Eventually.assertThat(() -> assertThat(snapshots(second)).doesNotContain(newest));
    String blob = LAYOUT.blob(PATH, newest.blob().id());
    assertThat(Fsck.run(nodes.options(), FsckOptions.DRY_RUN, LATER))
        .anySatisfy(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FsckFinding.Kind.ORPHANED_BLOB);
              assertThat(finding.path()).isEqualTo(blob);
            });
  }

  @Test
  void aSnapshotOfWhichAPartIsMissingHoldsUpNothing() throws Exception {
    Callboard first = withTwoLargeSnapshots();
    StoredSnapshot newest = snapshots(first).get(0);
    nodes.close(first);
    raw.delete(LAYOUT.blob(PATH, newest.blob().id()) + "/1", -1);
    Callboard second = node("second");
    await(second.spawn(PATH.toString(), LargeLedger::new, every(3)));
    Eventually.assertThat(() -> assertThat(snapshots(second)).doesNotContain(newest));
    assertThat(add(second, PATH.toString(), 10).events()).isEqualTo(8);
    await(second.durableRef(PATH.toString(), Order.class).ask(new Order.Clear(), Sum.class));
    assertThat(add(second, PATH.toString(), 10).events()).isEqualTo(1);
  }

  @Test
  void anEntryThatIsGoneIsToldWithTheNumberOfItsEvent() throws Exception {
    Callboard first = node("first");
    await(first.spawn(PATH.toString(), Ledger::new, every(1_000)));
    for (int i = 0; i < 5; i++) {
      add(first, PATH.toString(), 1);
    }
    nodes.close(first);
    String journal = LAYOUT.journal(PATH);
    String third =
        raw.getChildren(journal, false).stream()
            .filter(name -> name.startsWith("3."))
            .findFirst()
            .orElseThrow();
    raw.delete(journal + "/" + third, -1);
    Callboard second = node("second");
    assertThatThrownBy(() -> await(second.spawn(PATH.toString(), Ledger::new, every(1_000))))
        .hasMessageContaining(
            "event 3 of /ledgers/one cannot be replayed: it is missing, the journal continues with"
                + " event 4 of turn 4");
  }

  @Test
  void manyActorsAreReadByTheNextNodeAFewAtATime() throws Exception {
    Callboard first = node("first");
    await(first.host("/ledgers", Ledger::new, every(7)));
    List<Future<?>> added = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      for (int n = 0; n < 20; n++) {
        String path = "/ledgers/l" + i;
        added.add(first.durableRef(path, Order.class).ask(new Order.Add(n), Sum.class));
      }
    }
    await(Future.all(added));
    nodes.close(first);
    Callboard second = node("second");
    await(second.host("/ledgers", Ledger::new, every(7)));
    List<Future<Sum>> sums = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String path = "/ledgers/l" + i;
      sums.add(second.durableRef(path, Order.class).ask(new Order.Add(1), Sum.class));
    }
    await(Future.all(sums));
    assertThat(sums).allSatisfy(sum -> assertThat(sum.result()).isEqualTo(new Sum(191, 21, "")));
  }

  @Test
  void aDeletedActorLeavesARecordAndAMailbox() throws Exception {
    Callboard node = withTwoLargeSnapshots();
    await(node.durableRef(PATH.toString(), Order.class).ask(new Order.Clear(), Sum.class));
    Eventually.assertThat(
        () -> {
          try {
            assertThat(raw.getChildren(LAYOUT.journal(PATH), false)).isEmpty();
            assertThat(raw.getChildren(LAYOUT.blobsOf(PATH.partition(64)), false)).isEmpty();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertThat(add(node, PATH.toString(), 4).events()).isEqualTo(1);
    nodes.close(node);
    Callboard second = node("second");
    await(second.spawn(PATH.toString(), LargeLedger::new, every(1_000)));
    assertThat(add(second, PATH.toString(), 4).value()).isEqualTo(8);
  }
}
