package io.callboard.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Futures;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The whole ensemble is away for longer than the sessions of the nodes, and comes back with its
 * data. The stock cluster manager then forgets every node and every subscription for good
 * (vertx-zookeeper #69, #105), and believes in consumers that it could not register.
 */
@Tag("real")
class ClusteringOutageTest {
  private static final Duration SESSION = Duration.ofSeconds(1);
  private static final String SERVICE = "service";
  private static final String ACTOR = "callboard:/actor/a";

  private final Path directory = directory();
  private final List<Vertx> nodes = new ArrayList<>();
  private final List<Clustering> clusterings = new ArrayList<>();
  private EmbeddedZooKeeper server;
  private int port;

  private static Path directory() {
    try {
      return TestServers.directory("outage");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    port = FreePorts.one(); // one that nobody's connection gets while the server is away
    server = TestServers.start(directory, port);
  }

  @AfterEach
  void stop() throws Exception {
    for (Vertx node : nodes) {
      Futures.await(node.close());
    }
    clusterings.forEach(Clustering::close);
    server.close();
  }

  private Vertx node() throws Exception {
    Clustering clustering =
        Clustering.connect(
            new ZooKeeperOptions("127.0.0.1:" + port, "main", SESSION, Duration.ofSeconds(10)));
    clusterings.add(clustering);
    EventBusOptions bus = new EventBusOptions().setHost("127.0.0.1");
    Vertx node =
        Futures.await(
            Vertx.builder()
                .with(new VertxOptions().setEventBusOptions(bus))
                .withClusterManager(clustering.manager())
                .buildClustered());
    nodes.add(node);
    return node;
  }

  private static void answer(Vertx node, String address) {
    var unused = node.eventBus().<String>consumer(address, m -> m.reply(m.body() + "!"));
  }

  private static String ask(Vertx node, String address) {
    try {
      return Futures.await(
              node.eventBus()
                  .<String>request(address, "?", new DeliveryOptions().setSendTimeout(500)))
          .body();
    } catch (ReplyException e) {
      return e.toString();
    }
  }

  private static void answers(Vertx node, String address) {
    Eventually.assertThat(() -> assertThat(ask(node, address)).as(address).isEqualTo("?!"));
  }

  @Test
  void everybodyIsSeenAgainAndSoIsWhatBeganMeanwhile() throws Exception {
    Vertx first = node();
    Vertx second = node();
    answer(second, SERVICE);
    answer(second, ACTOR);
    answers(first, SERVICE);
    answers(first, ACTOR);
    server.close();
    LockSupport.parkNanos(SESSION.plusSeconds(2).toNanos()); // the sessions end by the clock
    answers(first, ACTOR); // actors are asked for, not looked up
    answer(second, "later");
    answer(second, "callboard:/actor/later");
    server = TestServers.start(directory, port);
    Vertx newcomer = node();
    for (Vertx node : List.of(first, newcomer)) {
      for (String address : List.of(SERVICE, ACTOR, "later", "callboard:/actor/later")) {
        answers(node, address);
      }
    }
    answer(newcomer, "new");
    answers(second, "new");
  }
}
