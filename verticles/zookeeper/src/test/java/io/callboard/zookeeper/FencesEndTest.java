package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSnapshot;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.zookeeper.Counter.Count;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.client.VersionedWrite;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.server.DataNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The versions that fence out old owners and old sessions begin again under load, and no request of
 * a former round fits then.
 */
@Tag("real")
class FencesEndTest {
  private static final ActorPath ACTOR = ActorPath.of("/end/fence");
  private static final Layout LAYOUT = new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS);
  private static final String LEASE = LAYOUT.lease(ACTOR.partition(LAYOUT.partitions()));

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<Integer> handled = new CopyOnWriteArrayList<>();
  private EmbeddedZooKeeper server;
  private ZooKeeperStore store;

  @BeforeEach
  void start() throws Exception {
    server = TestServers.start("fences");
  }

  @AfterEach
  void stop() {
    nodes.close();
    server.close();
  }

  private ZooKeeperOptions options() {
    return ZooKeeperOptions.of(server.connectString());
  }

  private Callboard open() {
    store = new ZooKeeperStore(options());
    return nodes.open("node", options -> options.homeId("home").store(() -> store));
  }

  private Counter counter() {
    return new Counter(handled::add);
  }

  private DataNode node(String path) {
    return TestServers.znode(server, path);
  }

  private long field(String path, String name) {
    return Json.parse(path, node(path).getData()).path(name).asLong(-1);
  }

  /**
   * Checks that the handled numbers rose, and that the state shows nothing lost or handled twice.
   */
  private void isHandledOnceInOrder(Callboard callboard, int told) {
    Eventually.assertThat(() -> assertThat(total(callboard)).isEqualTo(told));
    assertThat(handled).isSorted().doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(told);
  }

  private static long total(Callboard callboard) {
    return await(callboard.admin().stored(ACTOR.toString()))
        .orElseThrow()
        .record()
        .newest()
        .map(StoredSnapshot::state)
        .map(state -> state.path("value").asLong())
        .orElse(0L);
  }

  /** An even distance makes a claim begin again, an odd one a release. */
  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void aLeaseBeginsItsVersionsAgainWhileOwnersChangeUnderLoad(int close) throws Exception {
    int told = 0;
    int rounds = 8;
    for (int round = 0; round < rounds; round++) {
      Callboard callboard = open();
      ActorRef<Count> actor = await(callboard.spawn(ACTOR.toString(), this::counter));
      List<Future<Void>> tells = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        tells.add(actor.tell(new Count(told++)));
      }
      await(Future.all(tells));
      nodes.close(callboard); // in the midst of the handling
      if (round == 0) {
        node(LEASE).stat.setVersion(StoredRecord.LAST_VERSION - close);
      }
    }
    Callboard last = open();
    assertThat(await(last.spawn(ACTOR.toString(), this::counter))).isNotNull();
    isHandledOnceInOrder(last, told);
    assertThat(node(LEASE).stat.getVersion()).isEqualTo(2 * (rounds - 1) - close);
    assertThat(field(LEASE, "epoch")).as("goes on").isEqualTo(rounds + 1);
  }

  @Test
  void anIncarnationBeginsItsVersionsAgainWhileSessionsEndUnderLoad() throws Exception {
    nodes.close(open());
    String incarnation = LAYOUT.incarnation("node");
    node(incarnation).stat.setVersion(StoredRecord.LAST_VERSION - 4);
    long counter = field(incarnation, "counter");
    Callboard callboard = open();
    ActorRef<Count> actor = await(callboard.spawn(ACTOR.toString(), this::counter));
    int told = 0;
    for (int round = 0; round < 6; round++) {
      int before = node(incarnation).stat.getVersion();
      List<Future<Void>> tells = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        tells.add(actor.tell(new Count(told++)));
      }
      server.expire(store.sessionId());
      await(Future.all(tells));
      Eventually.assertThat(
          () -> assertThat(node(incarnation).stat.getVersion()).isNotEqualTo(before));
    }
    isHandledOnceInOrder(callboard, told);
    assertThat(node(incarnation).stat.getVersion()).as("began again").isBetween(0, 40);
    assertThat(field(incarnation, "counter")).as("goes on").isGreaterThanOrEqualTo(counter + 7);
  }

  /** An owner sleeps; the lease changes so often that its version fits again. */
  @Test
  void anOwnerOfAFormerRoundIsRefusedAlthoughItsVersionFits() throws Exception {
    for (boolean newSession : new boolean[] {true, false}) {
      ActorPath actor = ActorPath.of("/end" + newSession + "/x");
      try (TestNode sleeper = new TestNode(options()).open("sleeper" + newSession);
          TestNode other = new TestNode(options()).open("other" + newSession)) {
        sleeper.tell(actor);
        Lease old = sleeper.claim(actor);
        Lease next = other.claim(actor);
        assertThat(next.epoch()).isEqualTo(old.epoch() + 1);
        node(LAYOUT.lease(actor.partition(LAYOUT.partitions()))).stat.setVersion(old.version());
        if (newSession) {
          server.expire(sleeper.store().sessionId());
          sleeper.renew();
        } else {
          assertThat(await(sleeper.store().leases())).isNotEmpty();
        }
        assertThat(sleeper.commit(Set.of(old), TestNode.turn(actor, 0, 1)))
            .isInstanceOfSatisfying(
                Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.FENCED));
        Lease fits = new Lease(next.partition(), next.epoch(), "", "", old.version());
        assertThat(other.commit(Set.of(fits), TestNode.turn(actor, 0, 1)))
            .as("nothing else was in the way")
            .isInstanceOf(Applied.class);
      }
    }
  }

  @Test
  void aVersionThatMatchesAnythingIsNeverUsed() throws Exception {
    assertThatThrownBy(() -> VersionedWrite.of("/x", new byte[0], -1, List.of()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("/x has version -1");
    try (TestNode node = new TestNode(options()).open("a")) {
      node.tell(ACTOR);
      Lease lease = node.claim(ACTOR);
      node(LEASE).stat.setVersion(-1);
      assertThatThrownBy(() -> node.claim(ACTOR))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
      assertThat(field(LEASE, "epoch")).as("nothing was written").isEqualTo(lease.epoch());
    }
  }
}
