package io.callboard.zookeeper.faults;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.audit.TxnLogHistory;
import io.callboard.store.NodeIdentity;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.faults.Load.Order;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traps that random faults hardly ever hit, each built by hand, with a server of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("real")
class DirectedFaultsTest {
  /** Longer than any test, even on a slow machine: only what a test does ends a session. */
  private static final Duration SESSION = Duration.ofSeconds(60);

  private static final String BOX = "/box/a";

  private final List<Callboard> boards = new ArrayList<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private OneServer server;
  private Inspector inspector;

  @BeforeEach
  void start() throws Exception {
    server = new OneServer("directed");
    opened.add(server);
    inspector = new Inspector(server.connectString());
    opened.add(inspector);
  }

  @AfterEach
  void stop() throws Exception {
    for (Callboard board : boards) {
      FaultNode.close(board);
    }
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private FaultNode network(String name) throws Exception {
    FaultNode network = new FaultNode(name, server);
    opened.add(network);
    return network;
  }

  private Callboard board(String name, String home, String servers) throws Exception {
    Callboard board = FaultNode.open(name, home, servers, SESSION);
    boards.add(board);
    return board;
  }

  /** Stops everything, and judges the log. */
  private TxnLogHistory judged() throws Exception {
    for (Callboard board : boards) {
      FaultNode.close(board);
    }
    boards.clear();
    inspector.close();
    server.close();
    TxnLogHistory history = TxnLogHistory.of(Inspector.ROOT, server.logs());
    assertThat(history.violations()).isEmpty();
    return history;
  }

  private static Order order(long n) {
    return new Order("s0", n, false);
  }

  /**
   * Two commits of a process that is given up are under way when the next process of that name
   * commits. The first then fails by its version; the second would fit again by its version alone.
   * If the next process has not committed yet, the first one would fit.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lateCommitsOfAnAbandonedHandleAreNeverApplied(boolean successorCommits) throws Exception {
    FaultNode network = network("a");
    FaultProxy proxy = network.proxies().get(0);
    ActorRef<Order> abandoned =
        board("a", "home", network.connectString()).durableRef(BOX, Order.class);
    await(abandoned.tell(order(1)));
    proxy.holdCommits();
    Future<Void> first = abandoned.tell(order(2));
    Eventually.assertThat(() -> assertThat(proxy.heldCommits()).isEqualTo(1));
    Future<Void> second = abandoned.tell(order(3));
    int held = heldWithin(proxy, Duration.ofMillis(500));
    long before = inspector.commits("a");

    ActorRef<Order> successor =
        board("a", "home", server.connectString()).durableRef(BOX, Order.class);
    if (successorCommits) {
      await(successor.tell(order(4)));
    }
    assertThat(inspector.commits("a")).isEqualTo(before + (successorCommits ? 1 : 0));
    proxy.refuse();
    proxy.release();

    Eventually.assertThat(
        () -> {
          assertThat(first.failed()).as("the first late tell").isTrue();
          assertThat(second.failed()).as("the second late tell").isTrue();
        });
    network.heal();
    await(successor.tell(order(5)));
    int stored = successorCommits ? 3 : 2;
    assertThat(inspector.mail(BOX)).hasSize(stored);
    TxnLogHistory history = judged();
    assertThat(history.waiting()).isEqualTo(stored);
    assertThat(history.figures().refused()).isGreaterThanOrEqualTo(held);
  }

  /** A store that pipelines has two commits under way; one that does not, the first only. */
  private static int heldWithin(FaultProxy proxy, Duration limit) {
    try {
      Eventually.assertThat(limit, () -> assertThat(proxy.heldCommits()).isEqualTo(2));
      return 2;
    } catch (AssertionError oneAtATime) {
      int held = proxy.heldCommits();
      assertThat(held).isBetween(1, 2); // it may have come just now
      return held;
    }
  }

  @Test
  void aTellWhoseReplyIsLostIsStoredOnce() throws Exception {
    FaultNode network = network("a");
    Callboard board = board("a", "", network.connectString());
    ActorRef<Order> box = board.durableRef(BOX, Order.class);
    await(box.tell(order(1)));
    for (int n = 2; n <= 5; n++) {
      network.proxies().get(0).dropReply();
      await(box.tell(order(n)));
      assertThat(inspector.mail(BOX)).hasSize(n);
    }
    assertThat(judged().figures().stored()).isEqualTo(5);
  }

  /** An owner that is alive and connected, and no owner any more when its commit arrives. */
  @Test
  void theCommitOfAZombieOwnerIsRefused() throws Exception {
    FaultNode network = network("zombie");
    FaultProxy proxy = network.proxies().get(0);
    Callboard zombie = board("zombie", "", network.connectString());
    await(Load.host(zombie, 0));
    Callboard next = board("next", "", server.connectString());
    await(Load.host(next, 1));
    ActorRef<Order> worker = next.durableRef(Load.worker(0), Order.class);
    await(worker.tell(order(1)));
    Eventually.assertThat(() -> assertThat(inspector.collected()).containsEntry("s0", 1L));
    assertThat(inspector.lease(Load.worker(0)).path("owner").asText()).isEqualTo("zombie");

    proxy.holdCommits();
    await(worker.tell(order(2)));
    Eventually.assertThat(() -> assertThat(proxy.heldCommits()).isPositive());
    long epoch = inspector.lease(Load.worker(0)).path("epoch").asLong();
    // not before: it ranks first for that actor, and would be given it
    await(Load.host(next, 0));
    disown("zombie");
    Eventually.assertThat(() -> assertThat(inspector.collected()).containsEntry("s0", 2L));
    assertThat(inspector.lease(Load.worker(0)).path("owner").asText()).isEqualTo("next");
    assertThat(inspector.lease(Load.worker(0)).path("epoch").asLong()).isGreaterThan(epoch);
    proxy.release();

    await(worker.tell(order(3)));
    Eventually.assertThat(() -> assertThat(inspector.collected()).containsEntry("s0", 3L));
    assertThat(inspector.wrong()).isEmpty();
    TxnLogHistory history = judged();
    assertThat(history.waiting()).isZero();
    assertThat(history.figures().refused()).isPositive();
  }

  /**
   * The case is that of the test before, but the next owner has written nothing: the version of the
   * record still fits.
   */
  @Test
  void theLeaseAloneRefusesAZombieOwner() throws Exception {
    FaultNode network = network("zombie");
    FaultProxy proxy = network.proxies().get(0);
    await(Load.host(board("zombie", "", network.connectString()), 0));
    Callboard next = board("next", "", server.connectString());
    await(Load.host(next, 1));
    ActorRef<Order> worker = next.durableRef(Load.worker(0), Order.class);
    await(worker.tell(order(1)));
    Eventually.assertThat(() -> assertThat(inspector.collected()).containsEntry("s0", 1L));

    // a member that owns nothing of its own accord, and so gives nothing back
    ZooKeeperStore ghost =
        new ZooKeeperStore(
            new ZooKeeperOptions(
                server.connectString(), FaultNode.CELL, SESSION, Duration.ofSeconds(30)));
    opened.add(() -> await(ghost.close()));
    NodeIdentity identity = new NodeIdentity("ghost", "boot-ghost", "home-ghost");
    assertThat(await(ghost.open(identity))).isNotNull();
    proxy.holdCommits();
    await(worker.tell(order(2)));
    Eventually.assertThat(() -> assertThat(proxy.heldCommits()).isPositive());
    long turn = inspector.record(Load.worker(0)).path("turn").asLong();
    inspector.claim(Load.worker(0), identity.name(), identity.bootId());
    proxy.release();
    Eventually.assertThat(() -> assertThat(proxy.heldCommits()).isZero());
    await(worker.tell(order(3)));
    assertThat(inspector.record(Load.worker(0)).path("turn").asLong()).isEqualTo(turn);
    await(ghost.close());

    Eventually.assertThat(() -> assertThat(inspector.collected()).containsEntry("s0", 3L));
    assertThat(inspector.wrong()).isEmpty();
    TxnLogHistory history = judged();
    assertThat(history.waiting()).isZero();
    assertThat(history.figures().refused()).isPositive();
  }

  /** Makes a node look dead to the others, which it is not. */
  private void disown(String node) throws Exception {
    try (ZooKeeper raw = new ZooKeeper(server.connectString(), 10_000, event -> {})) {
      raw.delete(Inspector.ROOT + "/h/" + node, -1);
    }
  }
}
