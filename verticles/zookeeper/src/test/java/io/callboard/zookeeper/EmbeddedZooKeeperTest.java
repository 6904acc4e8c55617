package io.callboard.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Futures;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.AsyncCallback.StringCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class EmbeddedZooKeeperTest {
  private static EmbeddedZooKeeper start(Path directory, int port) throws IOException {
    return EmbeddedZooKeeper.start(
        directory,
        port,
        failure -> {
          throw new AssertionError(failure);
        });
  }

  private static void put(EmbeddedZooKeeper server, String path) throws Exception {
    try (ZooKeeper client = RawClient.connect(server.connectString())) {
      client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }
  }

  @Test
  void writesAreThereAfterARestart() throws Exception {
    Path directory = TestServers.directory("restart");
    try (EmbeddedZooKeeper server = start(directory, 0)) {
      put(server, "/first");
    }
    try (EmbeddedZooKeeper server = start(directory, 0)) {
      put(server, "/second");
      try (ZooKeeper client = RawClient.connect(server.connectString())) {
        assertThat(client.getChildren("/", false)).contains("first", "second");
      }
    }
  }

  @Test
  void aStoreThatLostItsNewestFilesIsNotTakenForTheWholeOne() throws Exception {
    Path directory = TestServers.directory("behind");
    long reached;
    try (EmbeddedZooKeeper server = start(directory, 0)) {
      put(server, "/first");
      reached = server.zxid();
    }
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, 0, reached, line -> {})) {
      assertThat(server.zxid()).as("nothing is missing").isGreaterThanOrEqualTo(reached);
    }
    assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory, 0, 1_000, line -> {}))
        .isInstanceOf(StoreBehindException.class)
        .hasMessageContaining("but it had reached 0x3e8");
    try (Stream<Path> files = Files.list(directory.resolve("version-2"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> EmbeddedZooKeeper.start(directory, 0, reached, line -> {}))
        .isInstanceOf(StoreBehindException.class)
        .hasMessageContaining("is empty, but it held a cell");
    try (EmbeddedZooKeeper server = start(directory, 0)) {
      assertThat(server.zxid()).as("begun anew, as asked").isLessThan(reached);
    }
  }

  @Test
  void acknowledgedWritesSurviveAKill() throws Exception {
    Path directory = TestServers.directory("kill");
    int port = FreePorts.one();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ServerMain.class.getName(),
                directory.toString(),
                String.valueOf(port))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("server.log").toFile())
            .start();
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    try (ZooKeeper client = RawClient.connect("127.0.0.1:" + port)) {
      writeAndKill(client, process, acknowledged);
    } finally {
      process.destroyForcibly();
    }
    Waits.ended(process);
    try (EmbeddedZooKeeper server = start(directory, 0);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      List<String> there = client.getChildren("/", false);
      assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(500);
      assertThat(there).containsAll(acknowledged);
    }
  }

  /** Keeps writing, and kills the server while writes are under way. */
  private static void writeAndKill(ZooKeeper client, Process process, Queue<String> acknowledged)
      throws InterruptedException {
    int writes = 4_000;
    CountDownLatch some = new CountDownLatch(500);
    CountDownLatch answered = new CountDownLatch(writes);
    StringCallback callback =
        (rc, path, context, name) -> {
          if (rc == Code.OK.intValue()) {
            acknowledged.add(name.substring(1));
            some.countDown();
          }
          answered.countDown();
        };
    for (int i = 0; i < writes; i++) {
      byte[] data = new byte[1_000];
      client.create("/w" + i, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT, callback, null);
    }
    Waits.opened(some);
    process.destroyForcibly();
    Waits.opened(answered);
  }

  @Test
  void afterCloseNoThreadKeepsTheProcessAlive() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    EmbeddedZooKeeper server = start(TestServers.directory("threads"), 0);
    put(server, "/busy");
    assertThat(keptAlive(before)).as("it works").isNotEmpty();
    server.close();
    Eventually.assertThat(() -> assertThat(keptAlive(before)).as("still there").isEmpty());
  }

  private static Set<Thread> keptAlive(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && !thread.isDaemon() && !before.contains(thread))
        .collect(Collectors.toSet());
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> start(TestServers.directory("port"), other.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("port %d".formatted(other.getLocalPort()))
          .hasMessageContaining("in use");
    }
  }

  @Test
  void aDirectoryThatIsNoneIsNamed() throws Exception {
    Path file = Files.createFile(TestServers.directory("file").resolve("data"));
    assertThatThrownBy(() -> start(file, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("directory");
  }

  @Test
  void damagedDataIsNamed() throws Exception {
    Path directory = TestServers.directory("damaged");
    try (EmbeddedZooKeeper server = start(directory, 0)) {
      put(server, "/first");
    }
    try (Stream<Path> files = Files.list(directory.resolve("version-2"))) {
      for (Path file : files.toList()) {
        Files.writeString(file, "this is no transaction log and no snapshot");
      }
    }
    assertThatThrownBy(() -> start(directory, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void theJvmKeepsItsHandlerOfUncaughtExceptions() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.UncaughtExceptionHandler mine = (thread, cause) -> {};
    Thread.setDefaultUncaughtExceptionHandler(mine);
    try (EmbeddedZooKeeper server = start(TestServers.directory("handler"), 0)) {
      put(server, "/first");
      assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(mine);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void aLogThatCannotBeWrittenIsToldOnceWithItsCause() throws Exception {
    Path directory = TestServers.directory("unwritable");
    Queue<String> told = new ConcurrentLinkedQueue<>();
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, 0, told::add);
        ZooKeeper client = RawClient.connect(server.connectString())) {
      client.create("/first", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      server.server().getZKDatabase().rollLog(); // the next write begins another file
      Path logs = directory.resolve("version-2");
      Files.move(logs, directory.resolve("moved"));
      Files.createFile(logs); // no file can be made below a file
      client.create(
          "/second",
          new byte[0],
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.PERSISTENT,
          (rc, path, context, name) -> {},
          null);
      Eventually.assertThat(() -> assertThat(told).isNotEmpty());
      Futures.await(Future.fromCompletionStage(CompletableFuture.runAsync(server::close)));
    }
    assertThat(told)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .startsWith(
                        "the embedded ZooKeeper stopped: its transaction log in %s cannot be written ("
                            .formatted(directory))
                    .contains("Not a directory")
                    .endsWith("); free space on that disk and restart the node"));
  }
}
