package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.StoreException;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.cluster.CallboardClusterManager;
import io.callboard.zookeeper.cluster.ZnodeNames;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeInfo;
import io.vertx.core.spi.cluster.RegistrationInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class ClusteringTest {
  private static final String ADDRESS = "service:/space/a/b %~+";
  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("clustering");

  private final List<Vertx> nodes = new ArrayList<>();
  private final List<Clustering> clusterings = new ArrayList<>();
  private String cell;

  @BeforeEach
  void freshCell() {
    cell = "cell-" + System.nanoTime();
  }

  @AfterEach
  void closeAll() throws Exception {
    for (Vertx node : nodes) {
      await(node.close());
    }
    clusterings.forEach(Clustering::close);
  }

  private Vertx node() throws Exception {
    Clustering clustering =
        Clustering.connect(
            new ZooKeeperOptions(
                server.connectString(), cell, Duration.ofSeconds(2), Duration.ofSeconds(10)));
    clusterings.add(clustering);
    EventBusOptions bus = new EventBusOptions().setHost("127.0.0.1");
    Vertx node =
        await(
            Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(bus))
                .withClusterManager(clustering.manager())
                .buildClustered());
    nodes.add(node);
    return node;
  }

  private static void answer(Vertx node, String address, String answer) throws Exception {
    await(
        node.eventBus()
            .<String>consumer(address)
            .handler(message -> message.reply(answer))
            .completion());
  }

  /** Asks until somebody answers: a registration becomes visible to others after a while. */
  private static Future<String> ask(Vertx node, String address, long deadlineNs) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(500);
    return node.eventBus()
        .<String>request(address, "?", options)
        .map(Message::body)
        .recover(
            cause ->
                System.nanoTime() < deadlineNs
                    ? node.timer(20, TimeUnit.MILLISECONDS)
                        .compose(later -> ask(node, address, deadlineNs))
                    : Future.failedFuture(cause));
  }

  private static String ask(Vertx node, String address) throws Exception {
    return await(ask(node, address, System.nanoTime() + TimeUnit.SECONDS.toNanos(15)));
  }

  @Test
  void addressesWithSlashesReachTheirNode() throws Exception {
    Vertx first = node();
    Vertx second = node();
    answer(first, ADDRESS, "first");
    answer(second, ADDRESS + "/below", "second");
    assertThat(ask(second, ADDRESS)).isEqualTo("first");
    assertThat(ask(first, ADDRESS + "/below")).isEqualTo("second");
  }

  @Test
  void aNodeWhoseSessionExpiredIsSeenByOneThatJoinsLater() throws Exception {
    Vertx survivor = node();
    answer(survivor, ADDRESS, "survivor");
    server.expire(clusterings.get(0).sessionId());
    Vertx newcomer = node();
    answer(newcomer, "newcomer", "newcomer");
    assertThat(ask(newcomer, ADDRESS)).isEqualTo("survivor");
    assertThat(ask(survivor, "newcomer")).isEqualTo("newcomer");
  }

  @Test
  void aConsumerThatIsGoneIsNotBroughtBack() throws Exception {
    Vertx first = node();
    Vertx second = node();
    var consumer = first.eventBus().<String>consumer(ADDRESS).handler(m -> m.reply("old"));
    await(consumer.completion());
    assertThat(ask(second, ADDRESS)).isEqualTo("old");
    await(consumer.unregister());
    server.expire(clusterings.get(0).sessionId());
    answer(second, ADDRESS, "new");
    answer(first, "again", "again");
    assertThat(ask(second, "again")).isEqualTo("again");
    assertThat(ask(second, ADDRESS)).isEqualTo("new");
    assertThat(ask(first, ADDRESS)).isEqualTo("new");
  }

  /** The registration is removed after the look has begun. */
  @Test
  void aRegistrationThatIsRemovedDuringTheLookIsNotLeftBehind() throws Exception {
    Vertx unused = node();
    var manager = (CallboardClusterManager) clusterings.get(0).manager();
    long session = clusterings.get(0).sessionId();
    String address = ZnodeNames.encode(ADDRESS);
    RegistrationInfo gone = new RegistrationInfo(manager.getNodeId(), 1_001, false);
    RegistrationInfo kept = new RegistrationInfo(manager.getNodeId(), 1_002, false);
    Promise<Void> added = Promise.promise();
    manager.addRegistration(ADDRESS, kept, added);
    await(added.future());
    String path =
        "/callboard/%s/vertx%s/%s/".formatted(cell, CallboardClusterManager.SUBSCRIPTIONS, address);
    ZooKeeper raw = RawClient.connect(server.connectString());
    try {
      raw.delete(path + manager.getNodeId() + "-1002", -1);
      manager.assertRegistration(session, address, kept);
      manager.assertRegistration(session, address, gone);
      assertThat(raw.exists(path + manager.getNodeId() + "-1002", false)).isNotNull();
      assertThat(raw.exists(path + manager.getNodeId() + "-1001", false)).isNull();
    } finally {
      raw.close();
    }
  }

  /** The znode is as the stock cluster manager makes it for a node that joins. */
  @Test
  void aNodeThatHasNotWrittenWhereItListensIsReachedWhenItHas() throws Exception {
    Vertx first = node();
    Vertx second = node();
    answer(second, ADDRESS, "second");
    String id = clusterings.get(1).manager().getNodeId();
    String path = "/callboard/%s/vertx%s/%s".formatted(cell, CallboardClusterManager.NODES, id);
    var manager = clusterings.get(0).manager();
    ZooKeeper raw = RawClient.connect(server.connectString());
    try {
      byte[] written = raw.getData(path, false, null);
      raw.setData(path, id.getBytes(StandardCharsets.UTF_8), -1);
      Eventually.assertThat(
          () ->
              assertThatThrownBy(() -> await(info(manager, id)))
                  .hasMessageContaining(id + " has not published its address yet"));
      raw.setData(path, written, -1);
      assertThat(ask(first, ADDRESS)).isEqualTo("second");
      assertThat(await(info(manager, id)).host()).isEqualTo("127.0.0.1");
    } finally {
      raw.close();
    }
    assertThatThrownBy(() -> await(info(manager, "nobody")))
        .hasMessageContaining("node nobody is not a member of the cluster");
  }

  private static Future<NodeInfo> info(ClusterManager manager, String node) {
    Promise<NodeInfo> info = Promise.promise();
    manager.getNodeInfo(node, info);
    return info.future();
  }

  @Test
  void closingVertxLeavesTheSessionToItsOwner() throws Exception {
    Vertx first = node();
    await(first.close());
    nodes.clear();
    assertThat(clusterings.get(0).sessionId()).isNotZero();
    clusterings.get(0).close();
    clusterings.clear();
    Vertx second = node();
    answer(second, ADDRESS, "second");
    assertThat(ask(second, ADDRESS)).isEqualTo("second");
  }

  /** An address where nothing listens. */
  private static String nobody() throws IOException {
    return "127.0.0.1:" + FreePorts.one();
  }

  /** The start has come to another point each time. */
  @RepeatedTest(20)
  void aVertxThatClosesEndsTheStartOfANode() throws Exception {
    Vertx vertx = Vertx.vertx();
    ZooKeeperOptions nowhere =
        new ZooKeeperOptions(nobody(), cell, Duration.ofSeconds(2), Duration.ofSeconds(60));
    CompletableFuture<Callboard> created = // its context ends with the Vert.x
        Callboard.create(vertx, new CallboardOptions().store(() -> new ZooKeeperStore(nowhere)))
            .toCompletionStage()
            .toCompletableFuture();
    await(vertx.close());
    assertThatThrownBy(() -> await(Future.fromCompletionStage(created)))
        .hasMessageStartingWith("Vert.x closed before node ");
  }

  @Test
  void aVertxThatIsClosedStartsNoNode() throws Exception {
    Vertx vertx = Vertx.vertx();
    await(vertx.close());
    ZooKeeperOptions options =
        new ZooKeeperOptions(nobody(), cell, Duration.ofSeconds(2), Duration.ofSeconds(60));
    assertThatThrownBy(
            () ->
                await(
                    Callboard.create(
                        vertx, new CallboardOptions().store(() -> new ZooKeeperStore(options)))))
        .hasMessageStartingWith("Vert.x closed");
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws Exception {
    String address = nobody();
    assertThatThrownBy(
            () ->
                Clustering.connect(
                    new ZooKeeperOptions(
                        address, cell, Duration.ofSeconds(2), Duration.ofMillis(300))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(address);
  }
}
