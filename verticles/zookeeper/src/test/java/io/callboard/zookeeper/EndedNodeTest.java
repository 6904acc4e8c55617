package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.store.Lease;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.NodesExtension;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that its cell has no place for any more ends, and says why; it does not stand about. */
@Tag("real")
class EndedNodeTest {
  private static final Duration SESSION = Duration.ofSeconds(4);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private EmbeddedZooKeeper server;
  private Path directory;

  @BeforeEach
  void start() throws Exception {
    directory = TestServers.directory("ended");
    // one that nobody's connection gets while the server is away
    server = TestServers.start(directory, FreePorts.one());
  }

  @AfterEach
  void stop() {
    nodes.close();
    server.close();
  }

  private ZooKeeperOptions options() {
    return new ZooKeeperOptions(server.connectString(), "main", SESSION, Duration.ofSeconds(10));
  }

  private Callboard node(String name) {
    ZooKeeperOptions options = options();
    Callboard node =
        nodes.open(
            name, more -> more.homeId("home-" + name).store(() -> new ZooKeeperStore(options)));
    await(
        node.<Counter.Count>host(
            "/counters", () -> new Counter(handled -> {}), new ActorOptions()));
    return node;
  }

  private static void endsWith(Future<Void> ending, String why) {
    assertThatThrownBy(() -> await(ending)).hasMessageContaining(why);
  }

  private static void add(Callboard node, String actor) throws Exception {
    await(node.durableRef("/counters/" + actor, Counter.Count.class).tell(new Counter.Count(1)));
  }

  @Test
  void aNodeWhoseIncarnationCannotBeReadEnds() throws Exception {
    Callboard one = node("one");
    Future<Void> ending = one.closed();
    Callboard two = node("two");
    try (ZooKeeper operator = RawClient.connect(server.connectString())) {
      assertThat(
              operator.setData(
                  "/callboard/main/i/one", "garbage".getBytes(StandardCharsets.UTF_8), -1))
          .isNotNull();
    }
    var unused = one.durableRef("/counters/a", Counter.Count.class).tell(new Counter.Count(1));
    endsWith(ending, "/i/one");
    Eventually.assertThat(
        () -> assertThat(leases(two)).isNotEmpty().allMatch(lease -> lease.owner().equals("two")));
  }

  private List<Lease> leases(Callboard node) {
    try (TestNode reader = new TestNode(options()).open("reader-of-" + node.node())) {
      return List.copyOf(await(reader.store().leases()).values());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The server stops, and starts again with what it had when {@code copy} was made. */
  private void restore(Path copy) throws IOException {
    int port = server.port();
    server.close();
    Eventually.assertThat(
        () -> {
          try {
            server = TestServers.start(copy, port);
          } catch (IOException e) { // the port is given back a moment later
            throw new AssertionError(e);
          }
        });
  }

  private Path copy() throws IOException {
    Path copy = TestServers.directory("restored");
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted().toList()) {
        Path to = copy.resolve(directory.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to);
        }
      }
    }
    return copy;
  }

  @Test
  void aNodeThatLivesThroughARestoreAndHasCommittedSinceEnds() throws Exception {
    Callboard one = node("one");
    Future<Void> ending = one.closed();
    Path copy = copy();
    add(one, "a");
    restore(copy);
    endsWith(ending, "went back");
  }

  /** Idle, it has nothing to commit by which it could notice; and its session is in the copy. */
  @Test
  void aNodeThatLivesThroughARestoreAndHasBeenIdleSinceEnds() throws Exception {
    Callboard one = node("one");
    add(one, "a");
    Future<Void> ending = one.closed();
    Path copy = copy();
    try (TestNode busy = new TestNode(options()).open("busy")) {
      busy.tell(io.callboard.codecs.ActorPath.of("/elsewhere/b"));
    }
    // a read, by which it has seen how far the store had got
    assertThat(await(one.members())).isNotEmpty();
    restore(copy);
    endsWith(ending, "went back");
  }
}
