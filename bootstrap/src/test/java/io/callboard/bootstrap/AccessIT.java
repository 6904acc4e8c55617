package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The jar against a ZooKeeper that wants to know who it is, or that a newer node used. */
@Tag("long")
@Tag("real")
class AccessIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String AUTH = "CALLBOARD_ZOOKEEPER_AUTH";

  private static LaunchedNode node(Map<String, String> environment, Path data, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--data", data.toString(), "--http-port", "0"));
    arguments.addAll(List.of(more));
    return LaunchedNode.launch(environment, arguments.toArray(String[]::new));
  }

  private static void fails(LaunchedNode process, int code, String message) throws Exception {
    try (process) {
      assertThat(process.exitCode(LIMIT)).isEqualTo(code);
      assertThat(process.errors()).contains(message).doesNotContain("\tat ", "s3cret", "wr0ng");
      assertThat(process.errors().lines()).hasSize(1);
      assertThat(process.output()).isEmpty();
    }
  }

  @Test
  void aNodeWithOtherCredentialsIsToldSoAndTheSecretIsNowhere() throws Exception {
    Path data = LaunchedNode.directory("access");
    Map<String, String> right = Map.of(AUTH, "callboard:s3cret");
    Map<String, String> wrong = Map.of(AUTH, "callboard:wr0ng");
    Path file = Files.writeString(data.resolve("auth"), "callboard:s3cret\n");
    try (LaunchedNode first =
        node(right, data.resolve("a"), "--name", "a", "--zookeeper-port", "0")) {
      first.awaitReady(LIMIT);
      String denied = "ZooKeeper denies access to /callboard/main/fmt";
      Path b = data.resolve("b");
      String ensemble = first.zookeeper();
      fails(node(wrong, b, "--name", "b", "--zookeeper", ensemble), 1, denied);
      fails(node(Map.of(), b, "--name", "b", "--zookeeper", ensemble), 1, denied);
      fails(LaunchedNode.launch(wrong, "fsck", "--zookeeper", ensemble), 1, denied);
      try (LaunchedNode second =
          node(
              wrong, // the command line wins over the environment
              b,
              "--zookeeper-auth-file",
              file.toString(),
              "--name",
              "b",
              "--zookeeper",
              ensemble)) {
        second.awaitReady(LIMIT);
        try (LaunchedNode fsck = LaunchedNode.launch(right, "fsck", "--zookeeper", ensemble)) {
          assertThat(fsck.exitCode(LIMIT)).isZero();
          assertThat(fsck.errors()).isEmpty();
          assertThat(fsck.output()).isEqualTo("cell main: nothing found\n");
        }
        second.terminate();
        assertThat(second.exitCode(LIMIT)).isZero();
        assertThat(second.output() + second.errors()).doesNotContain("s3cret");
      }
      first.terminate();
      assertThat(first.exitCode(LIMIT)).isZero();
    }
    for (Path log : List.of(data.resolve("a/logs"), data.resolve("b/logs"))) {
      try (Stream<Path> files = Files.list(log)) {
        for (Path each : files.toList()) {
          assertThat(Files.readString(each)).doesNotContain("s3cret", "wr0ng");
        }
      }
    }
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            List.of("--zookeeper-auth-file", "none"), Map.of(), "the file none does not exist"),
        Arguments.of(List.of(), Map.of(AUTH, "s3cret"), AUTH + " must hold one line"),
        Arguments.of(List.of("--zookeeper-secure"), Map.of(), "the embedded ZooKeeper has no TLS"),
        Arguments.of(List.of("--zookeeper-trust-store", "x"), Map.of(), "add --zookeeper-secure"),
        Arguments.of(
            List.of("--zookeeper-key-store-password-file", "x"),
            Map.of(),
            "needs --zookeeper-key-store"),
        Arguments.of(
            List.of(
                "--zookeeper", "h:1", "--zookeeper-secure", "--zookeeper-trust-store", "none.p12"),
            Map.of(),
            "the trust store none.p12 does not exist"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsToldInOneLine(
      List<String> arguments, Map<String, String> environment, String message) throws Exception {
    fails(LaunchedNode.launch(environment, arguments.toArray(String[]::new)), 2, message);
  }

  @Test
  void fsckListsFixesAndAnswersInJson() throws Exception {
    Path data = LaunchedNode.directory("fsck");
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, 0, failure -> {})) {
      String ensemble = server.connectString() + "/chroot";
      fails(
          LaunchedNode.launch(Map.of(), "fsck", "--zookeeper", ensemble),
          1,
          "there is no cell at this address: znode /chroot/callboard/main/fmt is missing");
      try (LaunchedNode node = node(Map.of(), data.resolve("n"), "--zookeeper", ensemble)) {
        node.awaitReady(LIMIT);
        fsck(ensemble, 0, "[]");
        try (ZooKeeper client = client(server.connectString())) {
          make(client, "/chroot/callboard/main/j/jobs~0/jobs:x");
          make(client, "/chroot/callboard/main/unknown");
          fsck(ensemble, 3, "\"kind\":\"unknown\"", "\"outcome\":\"reported\"");
        }
      }
    }
  }

  @Test
  void aNodeThatIsDeniedWhatItNeedsIsNotReady() throws Exception {
    Path data = LaunchedNode.directory("denied");
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, 0, failure -> {});
        ZooKeeper client = client(server.connectString());
        LaunchedNode node =
            node(Map.of(), data.resolve("n"), "--zookeeper", server.connectString())) {
      node.awaitReady(LIMIT);
      assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(node.get("/metrics").body()).contains("callboard_denied 0\n");
      String records = "/callboard/main/a";
      for (String partition : client.getChildren(records, false)) {
        for (String actor : client.getChildren(records + "/" + partition, false)) {
          String record = records + "/" + partition + "/" + actor;
          assertThat(client.setACL(record, Ids.READ_ACL_UNSAFE, -1)).isNotNull();
        }
      }
      String job = "{\"command\":[\"true\"]}";
      assertThat(node.send("POST", "/api/v1/jobs", job).statusCode()).isGreaterThanOrEqualTo(500);
      Eventually.assertThat(
          LIMIT,
          () ->
              assertThat(get(node, "/readyz"))
                  .contains("\"status\":503", "this node may not access"));
      assertThat(get(node, "/metrics")).contains("callboard_denied 1\n");
      Eventually.assertThat(
          LIMIT,
          () -> assertThat(get(node, "/api/v1/actors")).contains("\"state\":\"FAILED\"", "DENIED"));
    }
  }

  private static String get(LaunchedNode node, String path) {
    try {
      return node.get(path).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void fsck(String ensemble, int code, String... output) throws Exception {
    try (LaunchedNode fsck =
        LaunchedNode.launch(Map.of("CALLBOARD_ZOOKEEPER", ensemble), "fsck", "--json")) {
      assertThat(fsck.exitCode(LIMIT)).isEqualTo(code);
      assertThat(fsck.errors()).isEmpty();
      assertThat(fsck.output()).contains(output);
    }
  }

  private static void make(ZooKeeper client, String path) throws Exception {
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      if (client.exists(path.substring(0, slash), false) == null) {
        make(client, path.substring(0, slash));
      }
    }
    assertThat(client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))
        .isEqualTo(path);
  }

  private static ZooKeeper client(String servers) throws IOException, InterruptedException {
    CountDownLatch up = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            servers,
            10_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                up.countDown();
              }
            });
    Waits.opened(up);
    return client;
  }

  @Test
  void aCellOfANewerVersionIsRefusedBeforeAnythingIsWritten() throws Exception {
    Path data = LaunchedNode.directory("newer");
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(data, 0, failure -> {});
        ZooKeeper client = client(server.connectString())) {
      String ensemble = server.connectString();
      make(client, "/callboard/main/fmt");
      String newer = "{\"f\":2,\"partitions\":8,\"cellId\":\"x\",\"minReader\":2}";
      var format =
          client.setData("/callboard/main/fmt", newer.getBytes(StandardCharsets.UTF_8), -1);
      String message = "znode /callboard/main/fmt has format 2, this node reads up to 1";
      fails(node(Map.of(), data.resolve("n"), "--zookeeper", ensemble), 1, message);
      fails(LaunchedNode.launch(Map.of(), "fsck", "--fix", "--zookeeper", ensemble), 1, message);
      assertThat(client.getChildren("/", false)).containsOnly("zookeeper", "callboard");
      assertThat(client.getChildren("/callboard/main", false)).containsExactly("fmt");
      assertThat(client.exists("/callboard/main/fmt", false)).isEqualTo(format);
      String readable = newer.replace("\"minReader\":2", "\"minReader\":1");
      var next =
          client.setData("/callboard/main/fmt", readable.getBytes(StandardCharsets.UTF_8), -1);
      for (String top : List.of("h", "i", "s", "o", "a", "m", "j", "d")) {
        make(client, "/callboard/main/" + top);
      }
      try (LaunchedNode node = node(Map.of(), data.resolve("n"), "--zookeeper", ensemble)) {
        node.awaitReady(LIMIT);
        assertThat(client.exists("/callboard/main/fmt", false)).isEqualTo(next);
      }
    }
  }
}
