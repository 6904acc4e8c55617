package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A node as a user starts, stops and mistreats it. */
@Tag("real")
class NodeIT {
  /** Within which a process starts, and says why it does not. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Within which a node that runs stops, or notices what it cannot work with. */
  private static final Duration STOP = Duration.ofSeconds(15);

  @Test
  void startsWithOneLineAndStopsOnSigterm() throws Exception {
    try (LaunchedNode node = LaunchedNode.start(LaunchedNode.directory("node"), "--name", "n1")) {
      assertThat(node.output().lines()).hasSize(1);
      assertThat(node.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
      node.terminate();
      assertThat(node.exitCode(STOP)).isZero();
      assertThat(node.errors()).isEmpty();
    }
  }

  @Test
  @Tag("long")
  @Tag("alone")
  void startsWithinTenSeconds() throws Exception {
    Path data = LaunchedNode.directory("node");
    List<Duration> took = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      long begun = System.nanoTime();
      try (LaunchedNode node = LaunchedNode.start(data, "--name", "n1")) {
        took.add(Duration.ofNanos(System.nanoTime() - begun));
        assertThat(node.errors()).isEmpty();
      }
    }
    assertThat(took) // one may have shared the machine with a compiler
        .anySatisfy(start -> assertThat(start).isLessThan(Duration.ofSeconds(10)));
  }

  @Test
  @Tag("long")
  void theShellInTheJarLooksIntoTheCell() throws Exception {
    try (LaunchedNode node = LaunchedNode.start(LaunchedNode.directory("shell"), "--name", "n1")) {
      shows(node, "ls /callboard/main", "[a, b, d, e, f, fmt, h, i, j, m, o, s, t, vertx, x]");
      shows(node, "get -s /callboard/main/i/n1", "\"counter\":1", "dataVersion = 0");
      shows(node, "ls /callboard/main/h", "[n1]");
    }
  }

  private static void shows(LaunchedNode node, String command, String... texts) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                "-cp",
                LaunchedNode.jar().toString(),
                "org.apache.zookeeper.ZooKeeperMain",
                "-server",
                node.zookeeper()));
    line.addAll(List.of(command.split(" ")));
    try (LaunchedNode shell = LaunchedNode.launch(Map.of(), QuickStart.java(line))) {
      assertThat(shell.exitCode(LIMIT)).isZero();
      assertThat(shell.output()).contains(texts);
    }
  }

  @Test
  @Tag("long")
  void aConfigurationFileIsReadStrictlyAndTheCommandLineWins() throws Exception {
    Path directory = LaunchedNode.directory("conf");
    Path wrong = Files.writeString(directory.resolve("wrong.yaml"), "http-port: 0\nhttp-prot: 1\n");
    refused(wrong, "unknown key \"http-prot\"; did you mean \"http-port\"?");
    Path zone =
        Files.writeString(
            directory.resolve("zone.json"), "{\"zones\":{\"io\":{\"kind\":\"fixd\"}}}");
    refused(zone, "/zones/io: there is no kind \"fixd\"; there are event-loop, fixed,");
    Path broken = Files.writeString(directory.resolve("broken.yaml"), "a: [1\nb: }");
    refused(broken, "broken.yaml:");
    Path good =
        Files.writeString(
            directory.resolve("good.yaml"),
            "name: from-file\nslots: 3\nzones:\n  io: {kind: fixed, size: 2}\n");
    try (LaunchedNode node =
        LaunchedNode.start(
            directory.resolve("data"), "--conf", good.toString(), "--name", "typed")) {
      assertThat(node.output()).startsWith("Callboard typed is ready");
      assertThat(node.get("/api/v1/hosts").body()).contains("\"slots\":3");
      assertThat(node.get("/api/v1/zones").body()).contains("\"io\"", "\"blocking\"");
    }
  }

  private static void refused(Path conf, String message) throws Exception {
    try (LaunchedNode node = LaunchedNode.launch(Map.of(), "--conf", conf.toString())) {
      assertThat(node.exitCode(LIMIT)).isEqualTo(2);
      MistakesIT.oneLine(node, message);
    }
  }

  @Test
  @Tag("long")
  void anObstacleToTheStartIsNamed() throws Exception {
    Path data = LaunchedNode.directory("busy");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        LaunchedNode first = LaunchedNode.start(data)) {
      String port = String.valueOf(taken.getLocalPort());
      try (LaunchedNode second =
          LaunchedNode.launch(Map.of(), "--data", data + "2", "--http-port", port)) {
        assertThat(second.exitCode(LIMIT)).isEqualTo(1);
        MistakesIT.oneLine(
            second,
            "port "
                + port
                + " on 127.0.0.1 is in use; choose another with --http-port or --http-host");
      }
      try (LaunchedNode second =
          LaunchedNode.launch(
              Map.of(),
              "--data",
              data + "4",
              "--zookeeper-port",
              "0",
              "--http-port",
              "0",
              "--cluster-port",
              port)) {
        assertThat(second.exitCode(LIMIT)).isEqualTo(1);
        MistakesIT.oneLine(second, "the event bus cannot listen on port " + port + " of 127.0.0.1");
      }
      try (LaunchedNode second =
          LaunchedNode.launch(Map.of(), "--data", data.toString(), "--http-port", "0")) {
        assertThat(second.exitCode(LIMIT)).isEqualTo(1);
        MistakesIT.oneLine(second, "is in use by process");
      }
      try (LaunchedNode second =
          LaunchedNode.launch(
              Map.of(),
              "--data",
              data + "3",
              "--http-port",
              "0",
              "--zookeeper",
              "127.0.0.1:1",
              "--start-timeout",
              "PT1S")) {
        assertThat(second.exitCode(LIMIT)).isEqualTo(1);
        MistakesIT.oneLine(second, "ZooKeeper 127.0.0.1:1 cannot be reached within 1 s");
      }
    }
  }

  @Test
  @Tag("long")
  void aCopyBesideItsOriginalIsRefusedUntilItIsANodeOfItsOwn() throws Exception {
    Path data = LaunchedNode.directory("original");
    Path copy = data.resolveSibling(data.getFileName() + "-copy");
    try (LaunchedNode original = LaunchedNode.start(data, "--name", "n1")) {
      String body = "{\"command\":[\"sleep\",\"300\"]}";
      String id = JobView.submit(original, body);
      JobView.await(original, id, "RUNNING");
      assertThat(new ProcessBuilder("cp", "-r", data.toString(), copy.toString()).start().waitFor())
          .isZero();

      try (LaunchedNode refused =
          LaunchedNode.launch(
              Map.of(), "--data", copy.toString(), "--name", "n2", "--http-port", "0")) {
        assertThat(refused.exitCode(LIMIT)).isEqualTo(1);
        MistakesIT.oneLine(
            refused, "has the identity of " + data + ", which process " + original.pid());
      }
      Files.delete(copy.resolve("home-id"));
      try (LaunchedNode own =
          LaunchedNode.start(copy, "--name", "n2", "--zookeeper-port", "0", "--slots", "0")) {
        assertThat(JobView.runs(own, id)).isEqualTo(1);
        assertThat(JobView.state(original, id)).isEqualTo("RUNNING");
      }
      assertThat(JobView.runs(original, id)).isEqualTo(1);
    }
  }

  @Test
  void damagedAndNewerDataAreRefusedByName() throws Exception {
    Path data = LaunchedNode.directory("damaged");
    Files.writeString(data.resolve("format"), "99\n");
    failsWith(data, "has format 99, this version reads up to 1");
    Files.writeString(data.resolve("format"), "1\n");
    Files.writeString(data.resolve("home-id"), "garbage\n");
    failsWith(data, "home-id is damaged");
    Files.delete(data.resolve("home-id"));
    try (LaunchedNode node = LaunchedNode.start(data)) {
      node.terminate();
      assertThat(node.exitCode(STOP)).isZero();
    }
    for (Path file : files(data.resolve("zookeeper/version-2"))) {
      Files.write(file, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17});
    }
    failsWith(data, "cannot be read by ZooKeeper");
  }

  /** An upgrade to it is noticed by whoever waits for the node. */
  @Test
  @Tag("long")
  void aJarThatLacksAClassEndsTheNode() throws Exception {
    Path directory = LaunchedNode.directory("lacking");
    Path jar = Files.copy(LaunchedNode.jar(), directory.resolve("callboard.jar"));
    try (FileSystem content = FileSystems.newFileSystem(jar)) {
      Files.delete(content.getPath("io/callboard/jobs/Jobs.class"));
    }
    List<String> arguments =
        List.of("-jar", jar.toString(), "--http-port", "0", "--zookeeper-port", "0");
    try (LaunchedNode node = LaunchedNode.launch(Map.of(), QuickStart.java(arguments))) {
      assertThat(node.exitCode(LIMIT)).isEqualTo(1);
      MistakesIT.oneLine(node, "the node could not be started: java.lang.NoClassDefFoundError");
    }
  }

  @Test
  @Tag("long")
  void anEmptyStoreBesideACellIsRefusedUnlessANewOneIsWanted() throws Exception {
    Path data = LaunchedNode.directory("emptied");
    try (LaunchedNode node = LaunchedNode.start(data)) {
      node.terminate();
      assertThat(node.exitCode(STOP)).isZero();
    }
    for (Path file : files(data.resolve("zookeeper/version-2"))) {
      Files.delete(file);
    }
    failsWith(data, "is empty, but it held a cell; restore its files, or continue");
    Files.delete(data.resolve("zookeeper-reached"));
    failsWith(data, "is empty, but it held a cell; restore its files, or continue");
    try (LaunchedNode node = LaunchedNode.start(data, "--new-cell")) {
      assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  @Tag("long")
  void aCellIsBackedUpWhileItRunsRepairedAndRestored() throws Exception {
    Path data = LaunchedNode.directory("repaired");
    String backup = data.resolve("cell.zip").toString();
    try (LaunchedNode node = LaunchedNode.start(data)) {
      prints(0, "up to transaction 0x", "backup", backup, "--data", data.toString());
      prints(1, "is in use by process", "restore", backup, "--data", data.toString());
      node.terminate();
      assertThat(node.exitCode(STOP)).isZero();
    }
    prints(0, "is intact", "repair", "--data", data.toString());
    Path log =
        files(data.resolve("zookeeper/version-2")).stream()
            .filter(file -> file.getFileName().toString().startsWith("log."))
            .findFirst()
            .orElseThrow();
    String content = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
    int path = content.indexOf("/callboard/main/", 20_000); // within a record
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      assertThat(channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), path)).isEqualTo(4);
    }
    failsWith(
        data, "callboard repair reports what it still holds, callboard restore restores a backup");
    prints(3, "nothing was changed; cut with --cut", "repair", "--data", data.toString());
    prints(0, "cut; what was cut off is in", "repair", "--cut", "--data", data.toString());
    try (LaunchedNode node = LaunchedNode.start(data)) {
      assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
      node.terminate();
      assertThat(node.exitCode(STOP)).isZero();
    }
    prints(0, "restored up to transaction 0x", "restore", backup, "--data", data.toString());
    try (LaunchedNode node = LaunchedNode.start(data)) {
      assertThat(node.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  private static void prints(int code, String message, String... command) throws Exception {
    try (LaunchedNode tool = LaunchedNode.launch(Map.of(), command)) {
      int exit = tool.exitCode(LIMIT);
      assertThat(tool.output() + tool.errors()).contains(message);
      assertThat(exit).isEqualTo(code);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    }
  }

  private static void failsWith(Path data, String message) throws Exception {
    try (LaunchedNode node =
        LaunchedNode.launch(Map.of(), "--data", data.toString(), "--http-port", "0")) {
      assertThat(node.exitCode(LIMIT)).isEqualTo(1);
      MistakesIT.oneLine(node, message);
    }
  }

  @Test
  @Tag("long")
  void aNodeThatCanCommitNothingMoreEndsWithOneLine() throws Exception {
    Path data = LaunchedNode.directory("ended");
    try (LaunchedNode first = LaunchedNode.start(data.resolve("a"), "--name", "a");
        LaunchedNode second =
            LaunchedNode.start(
                data.resolve("b"), "--name", "b", "--zookeeper", first.zookeeper())) {
      try (ZooKeeper operator = new ZooKeeper(first.zookeeper(), 10_000, event -> {})) {
        assertThat(operator.setData("/callboard/main/i/b", new byte[] {1, 2, 3}, -1)).isNotNull();
      }
      assertThat(second.exitCode(LIMIT)).isEqualTo(1);
      assertThat(second.errors().lines())
          .filteredOn(line -> line.startsWith("callboard: "))
          .singleElement(STRING)
          .contains("node b can no longer commit and has left the cell");
      assertThat(second.errors()).doesNotContain("\tat ");
      assertThat(first.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  @Tag("long")
  void aSecondNodeJoinsAndANameIsTakenOnce() throws Exception {
    Path data = LaunchedNode.directory("two");
    try (LaunchedNode first = LaunchedNode.start(data.resolve("a"), "--name", "a");
        LaunchedNode second =
            LaunchedNode.start(
                data.resolve("b"), "--name", "b", "--zookeeper", first.zookeeper())) {
      io.callboard.testkit.Eventually.assertThat(
          () -> {
            try {
              assertThat(first.get("/api/v1/hosts").body()).contains("\"a\"", "\"b\"");
              assertThat(second.get("/api/v1/hosts").body()).contains("\"a\"", "\"b\"");
            } catch (IOException | InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      try (LaunchedNode third =
          LaunchedNode.launch(
              Map.of(),
              "--data",
              data.resolve("c").toString(),
              "--http-port",
              "0",
              "--name",
              "b",
              "--zookeeper",
              first.zookeeper(),
              "--session-timeout",
              "PT6S")) {
        assertThat(third.exitCode(LIMIT)).isEqualTo(1);
        MistakesIT.oneLine(third, "a live node has the name \"b\", since");
      }
      assertThat(log(data.resolve("c")).filter(line -> line.contains("waiting at most 8000 ms")))
          .as("told once, however often it looks")
          .hasSize(1);
      second.kill();
      first.terminate();
      assertThat(first.exitCode(STOP)).isZero();
      assertThat(log(data.resolve("a"))).noneMatch(line -> line.contains("did not close cleanly"));
    }
  }

  private static Stream<String> log(Path data) throws IOException {
    return Files.readString(data.resolve("logs/callboard.log")).lines();
  }

  @Test
  @Tag("long")
  @EnabledIf("canLimitFiles")
  void aNodeWhoseDiskIsFullSaysSoAndStopsWithinSeconds() throws Exception {
    Path data = LaunchedNode.directory("full");
    try (LaunchedNode node = LaunchedNode.start(data)) {
      // from now on no file of the node takes a byte beyond its first thousand
      Process limit =
          new ProcessBuilder("prlimit", "--pid", String.valueOf(node.pid()), "--fsize=1000")
              .start();
      assertThat(limit.waitFor()).isZero();
      try (LaunchedNode job =
          LaunchedNode.launch(Map.of("CALLBOARD_URL", node.url()), "submit", "true")) {
        io.callboard.testkit.Eventually.assertThat(
            STOP,
            () -> {
              try {
                assertThat(node.errors()).isNotEmpty();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
        assertThat(node.exitCode(STOP)).isEqualTo(1);
        assertThat(job.output()).isEmpty();
      }
      assertThat(node.errors())
          .containsOnlyOnce("callboard: the embedded ZooKeeper stopped: its transaction log in ")
          .contains(
              "cannot be written (File too large); free space on that disk and restart the node")
          .doesNotContain("see above", "\tat ", "did not stop cleanly", "did not close cleanly");
    }
    try (LaunchedNode again = LaunchedNode.start(data)) {
      assertThat(again.get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  static boolean canLimitFiles() {
    return Files.isExecutable(Path.of("/usr/bin/prlimit"));
  }
}
