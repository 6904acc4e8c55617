package io.callboard.node;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.node.NodeStartException.Reason;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.placement.Offer;
import io.callboard.store.Member;
import io.callboard.supervision.EscalatedException;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** A node of an application, in this JVM. */
@Tag("real")
class CallboardNodeTest {
  private static final String COUNTERS = "/counters";

  @TempDir Path parent;

  private NodeOptions options(String directory) {
    return new NodeOptions().directory(parent.resolve(directory)).shutdownHook(false);
  }

  /** On a free port, unless it has one from before. */
  private NodeOptions embedded(String directory) {
    return options(directory).zookeeperPort(0);
  }

  private static void host(CallboardNode node) {
    await(node.callboard().host(COUNTERS, Counter::new, new ActorOptions()));
  }

  private static long count(CallboardNode node) {
    return await(
            node.callboard().durableRef(COUNTERS + "/1", Add.class).ask(new Add(1), Total.class))
        .value();
  }

  @Test
  void aNodeInMemoryWorksAndWarns() {
    try (LogCapture log = LogCapture.of("io.callboard");
        CallboardNode node = CallboardNode.start(new NodeOptions().name("m").shutdownHook(false))) {
      log.expect(Level.WARN, "node m keeps everything in memory");
      host(node);
      assertThat(count(node)).isEqualTo(1);
      assertThat(node.zookeeper()).isEmpty();
      assertThat(node.directory()).isEmpty();
      assertThat(
              log.lines().stream()
                  .filter(line -> line.level().toInt() >= Level.WARN.toInt())
                  // a slow machine may block a thread for long
                  .filter(line -> !line.logger().startsWith("io.callboard.internal.zone.")))
          .as("one warning is enough")
          .hasSize(1);
    }
  }

  @Test
  void anEmbeddedCellIsDurableAndItsNodeKeepsItsNameAndHome() {
    String name;
    String home;
    try (LogCapture log = LogCapture.of(NodeOpening.class);
        CallboardNode node = CallboardNode.start(embedded("shop"))) {
      name = node.name();
      home = node.homeId().orElseThrow();
      log.expect(Level.INFO, "this node is called " + name);
      host(node);
      assertThat(count(node)).isEqualTo(1);
    }
    try (CallboardNode again = CallboardNode.start(options("shop"))) {
      assertThat(again.name()).isEqualTo(name).endsWith("-shop");
      assertThat(again.homeId()).contains(home);
      host(again);
      assertThat(count(again)).isEqualTo(2);
    }
  }

  /** A container that is made anew has another host name each time. */
  @Test
  void aDirectoryKeepsTheNameAndTheDrainOfItsNodeUnderAnotherHostName() {
    try (CallboardNode first = CallboardNode.start(embedded("first").name("first"))) {
      String zookeeper = first.zookeeper().orElseThrow();
      try (CallboardNode node = CallboardNode.start(options("d").name("d").zookeeper(zookeeper))) {
        await(node.grid().drain("d", true));
        isDraining(first, "d");
      }
      try (CallboardNode again = CallboardNode.start(options("d").zookeeper(zookeeper))) {
        assertThat(again.name()).isEqualTo("d");
        isDraining(first, "d");
      }
    }
  }

  private static void isDraining(CallboardNode asked, String node) {
    Eventually.isTrue(
        node + " drains",
        () ->
            await(asked.callboard().members()).stream()
                .filter(member -> member.name().equals(node))
                .anyMatch(member -> Offer.of(member).draining()));
  }

  @Test
  void aNodeWithAnotherNameSaysWhatHasChangedAndIsNotLost() {
    try (CallboardNode first = CallboardNode.start(embedded("first").name("first"))) {
      String zookeeper = first.zookeeper().orElseThrow();
      CallboardNode.start(options("r").name("old").zookeeper(zookeeper)).close();
      try (LogCapture log = LogCapture.of(NodeOpening.class);
          CallboardNode node = CallboardNode.start(options("r").name("new").zookeeper(zookeeper))) {
        log.expect(
            Level.WARN,
            "the data directory %s was that of node old, which is called new from now on"
                .formatted(parent.resolve("r")));
        assertThat(await(node.callboard().members()))
            .filteredOn(member -> member.name().equals("new"))
            .singleElement()
            .satisfies(member -> assertThat(member.facts().get("grid.former")).startsWith("old "));
      }
    }
  }

  @Test
  void aSecondNodeJoinsTheEmbeddedZooKeeperOfTheFirst() {
    try (CallboardNode first = CallboardNode.start(embedded("a").name("a"));
        CallboardNode second =
            CallboardNode.start(
                options("b").name("b").zookeeper(first.zookeeper().orElseThrow()))) {
      host(first);
      host(second);
      assertThat(count(second)).isEqualTo(1);
      assertThat(count(first)).isEqualTo(2);
      assertThat(await(second.callboard().members()).stream().map(Member::name))
          .containsExactlyInAnyOrder("a", "b");
      assertThat(await(second.grid().roles())).isNotEmpty();
    }
  }

  @Test
  void withoutTheGridThereIsNone() {
    try (CallboardNode node = CallboardNode.start(embedded("alone").name("alone").grid(false))) {
      assertThatThrownBy(node::grid)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("node alone takes no part in the grid");
    }
  }

  @Test
  void partsOfTheApplicationCloseBeforeThoseThatTheyNeed() throws Exception {
    List<String> order = new CopyOnWriteArrayList<>();
    AtomicReference<CallboardNode> started = new AtomicReference<>();
    try (CallboardNode node =
        CallboardNode.start(
            embedded("order")
                .prepare(
                    preparation ->
                        preparation.closeAfterActors(
                            "pool",
                            () -> {
                              order.add("pool");
                              boolean actorsEnded = started.get().callboard().closed().isComplete();
                              order.add(actorsEnded ? "after the actors" : "before the actors");
                              return Future.succeededFuture();
                            })))) {
      started.set(node);
      host(node);
      node.onClose(
          "server",
          () -> {
            order.add("server");
            return Future.failedFuture("it does not matter to the others");
          });
      node.onClose(
          "client",
          () -> {
            order.add("client");
            return Future.succeededFuture(count(node));
          });
    }
    assertThat(order).containsExactly("client", "server", "pool", "after the actors");
    assertThat(started.get().closed().succeeded()).isTrue();
    assertThatThrownBy(() -> started.get().onClose("late", Future::succeededFuture))
        .hasMessage("late cannot be added: this node is closing, or has closed");
    isFree("order");
  }

  /** Its lock is opened again, which a node that is open would refuse. */
  private void isFree(String directory) throws IOException {
    try (DataDirectory free = DataDirectory.open(parent.resolve(directory))) {
      assertThat(free.path()).isEqualTo(parent.resolve(directory));
    }
  }

  @Test
  void aStartThatFailsLeavesNothingBehind() throws Exception {
    NodeOptions failing =
        embedded("failing")
            .prepare(
                preparation -> {
                  throw new IllegalStateException("no database");
                });
    refused(failing, Reason.OTHER, "preparing the node failed", "no database");
    CallboardNode.start(options("failing")).close();
  }

  private static void refused(NodeOptions options, Reason reason, String... parts) {
    assertThatThrownBy(() -> CallboardNode.start(options).close())
        .isInstanceOfSatisfying(
            NodeStartException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContainingAll(parts);
  }

  @Test
  void anObstacleToAStartIsNamedWithARemedy() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CallboardNode first = CallboardNode.start(embedded("first").name("first"))) {
      refused(
          options("first"),
          Reason.DIRECTORY,
          "is in use by process " + ProcessHandle.current().pid(),
          "choose another with NodeOptions.directory");
      refused(
          options("other").zookeeperPort(taken.getLocalPort()),
          Reason.EMBEDDED_ZOOKEEPER,
          "port %d is in use".formatted(taken.getLocalPort()),
          "choose another with NodeOptions.zookeeperPort");
      String zookeeper = first.zookeeper().orElseThrow();
      refused(
          options("other").zookeeper(zookeeper).clusterPort(taken.getLocalPort()),
          Reason.EVENT_BUS,
          "the event bus cannot listen on port " + taken.getLocalPort(),
          "NodeOptions.clusterPort");
      refused(
          options("other").zookeeper(zookeeper).name("first").sessionTimeout(Duration.ofSeconds(1)),
          Reason.NAME_TAKEN,
          "a live node has the name \"first\"",
          "NodeOptions.name");
    }
    refused(
        options("other").zookeeper("127.0.0.1:1").startTimeout(Duration.ofSeconds(1)),
        Reason.ZOOKEEPER,
        "ZooKeeper 127.0.0.1:1 cannot be reached within 1 s",
        "NodeOptions.zookeeper");
  }

  @Test
  void aStartThatIsInterruptedIsNotTriedAgain() {
    NodeOptions options = // without a directory, whose files would fail first
        new NodeOptions().name("interrupted").zookeeper("127.0.0.1:1");
    StartRetry patience = new StartRetry(Duration.ofSeconds(5), System.nanoTime());
    Thread.currentThread().interrupt();
    try (LogCapture log = LogCapture.of(NodeOpening.class)) {
      assertThatThrownBy(() -> CallboardNode.start(options, patience).close())
          .isInstanceOf(NodeStartException.class);
      assertThat(log.lines()).noneMatch(line -> line.text().contains("the start is retried"));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aStepOfALongerStartHasNoTimeLimitOfItsOwn() {
    NodeOptions options =
        options("step").zookeeper("127.0.0.1:1").startTimeout(Duration.ofSeconds(1));
    long longAgo = System.nanoTime() - Duration.ofHours(1).toNanos();
    StartRetry over = new StartRetry(Duration.ofMinutes(1), longAgo);
    try (LogCapture log = LogCapture.of(NodeOpening.class)) {
      assertThatThrownBy(() -> CallboardNode.start(options, over).close())
          .isInstanceOf(NodeStartException.class);
      assertThat(log.lines()).noneMatch(line -> line.text().contains("the start is retried"));
    }
  }

  @Test
  void aFailureThatNoSupervisorHandlesClosesTheNode() throws Exception {
    AtomicReference<Throwable> reported = new AtomicReference<>();
    try (LogCapture log = LogCapture.of("io.callboard");
        CallboardNode node = CallboardNode.start(embedded("zone").onFailure(reported::set))) {
      await(
          node.callboard()
              .supervise("/zone", new FailureZone().intensity(0, Duration.ofMinutes(1))));
      var actor =
          await(
              node.callboard()
                  .spawn("/zone/fragile", failing(String.class, "as asked"), new ActorOptions()));
      await(actor.tell("break"));

      Eventually.isTrue("the node has closed", () -> node.closed().isComplete());
      assertThat(node.closed().cause()).isInstanceOf(EscalatedException.class);
      assertThat(reported.get()).isSameAs(node.closed().cause());
      assertThat(log.lines().stream().filter(line -> line.level() == Level.ERROR))
          .as("one error says why the node closes")
          .singleElement()
          .matches(line -> line.text().startsWith("node " + node.name() + " closes: "));
    }
    isFree("zone");
  }

  @Test
  void aPartOfTheApplicationThatNeverEndsLeavesTimeForTheActors() {
    NodeOptions options =
        new NodeOptions().name("m").shutdownHook(false).closeTimeout(Duration.ofSeconds(5));
    try (LogCapture log = LogCapture.of(CloseStack.class)) {
      try (CallboardNode node = CallboardNode.start(options)) {
        node.onClose("stuck server", () -> Promise.promise().future());
      }
      log.expect(Level.INFO, "closed: actors");
      assertThat(log.lines())
          .as("two fifths of what was left")
          .anyMatch(
              line ->
                  line.text()
                      .matches("stuck server did not close cleanly within (1...|2000) ms, .*"));
    }
  }

  @Test
  void anEventLoopIsNotBlocked() {
    try (CallboardNode node =
        CallboardNode.start(new NodeOptions().name("loop").shutdownHook(false))) {
      AtomicReference<Throwable> refusal = new AtomicReference<>();
      node.vertx()
          .runOnContext(
              v -> {
                try {
                  node.close();
                } catch (IllegalStateException e) {
                  refusal.set(e);
                }
              });
      Eventually.isTrue("it is refused", () -> refusal.get() != null);
      assertThat(refusal.get()).hasMessageStartingWith("CallboardNode.close blocks");
    }
  }
}
