package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.callboard.codecs.ActorPath;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperCredentials;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.access.ZooKeeperTls;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TLS with certificates on both sides, against ZooKeeper's own server. */
@Tag("real")
class TlsTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static @Nullable TlsServer server;

  @BeforeAll
  static void startServer() throws Exception {
    assumeTrue(
        Files.isExecutable(TlsServer.keytool()),
        "TLS IS NOT TESTED: there is no " + TlsServer.keytool() + "; use a JDK");
    server = TlsServer.start();
  }

  @AfterAll
  static void stopServer() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private static ZooKeeperOptions options(@Nullable ZooKeeperTls tls, Duration connect) {
    ZooKeeperCredentials credentials = ZooKeeperCredentials.of("test", "callboard:secret");
    return new ZooKeeperOptions(
        server.connectString(),
        "main",
        Duration.ofSeconds(5),
        connect,
        new ZooKeeperAccess(credentials, tls));
  }

  @Test
  void aNodeAndItsClusterManagerConnectThroughTls() throws Exception {
    ZooKeeperOptions options = options(server.tls(true, "node"), LONG);
    Clustering clustering = Clustering.connect(options);
    Vertx vertx = await(Vertx.builder().withClusterManager(clustering.manager()).buildClustered());
    ActorPath actor = ActorPath.of("/space/a");
    try (TestNode node = new TestNode(options).open("node")) {
      node.tell(actor);
      assertThat(await(node.store().peek(actor, 1))).hasSize(1);
      assertThat(vertx.isClustered()).isTrue();
    } finally {
      await(vertx.close());
      clustering.close();
    }
  }

  @Test
  void aClientThatDoesNotTrustOrIsNotTrustedDoesNotConnect() throws Exception {
    // the server is up when this one passes
    try (TestNode node = new TestNode(options(server.tls(true, "node"), LONG))) {
      assertThat(node.open("first")).isNotNull();
    }
    Map<ZooKeeperOptions, String> messages =
        Map.of(
            options(server.tls(false, "node"), SHORT),
            "over TLS",
            options(server.tls(true, "stranger"), SHORT),
            "over TLS",
            options(null, SHORT),
            "cannot be reached");
    List<Callable<Void>> attempts = new ArrayList<>();
    messages.forEach(
        (options, message) -> {
          attempts.add(() -> cannotOpen(options, message));
          attempts.add(() -> cannotCluster(options, message));
        });
    ExecutorService together = Executors.newFixedThreadPool(attempts.size());
    try {
      for (Future<Void> attempt : together.invokeAll(attempts)) {
        assertThat(attempt.get()).isNull();
      }
    } finally {
      together.shutdown();
    }
  }

  private static Void cannotOpen(ZooKeeperOptions options, String message) throws Exception {
    try (TestNode node = new TestNode(options)) {
      assertThatThrownBy(() -> node.open("node"))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
          .hasMessageContaining("ZooKeeper " + options.servers())
          .hasMessageContaining(message);
    }
    return null;
  }

  private static Void cannotCluster(ZooKeeperOptions options, String message) {
    assertThatThrownBy(() -> Clustering.connect(options)).hasMessageContaining(message);
    return null;
  }

  @Test
  void aStoreThatCannotBeOpenedIsNamed() throws Exception {
    Path wrong = Files.writeString(server.file("wrong-password"), "passw0rd-wrong");
    Path trust = server.file("trust-server.p12");
    refused(new ZooKeeperTls.StoreFile(trust, wrong), trust.toString());
    refused(new ZooKeeperTls.StoreFile(wrong, null), wrong.toString());
    refused(new ZooKeeperTls.StoreFile(server.file("none.p12"), wrong), "does not exist");
    refused(new ZooKeeperTls.StoreFile(trust, server.file("none")), "does not exist");
  }

  private static void refused(ZooKeeperTls.StoreFile store, String message) {
    assertThatThrownBy(() -> new ZooKeeperTls(store, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("passw0rd");
    assertThatThrownBy(() -> new ZooKeeperTls(null, store)).hasMessageContaining(message);
  }
}
