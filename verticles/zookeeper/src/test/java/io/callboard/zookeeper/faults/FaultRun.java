package io.callboard.zookeeper.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.audit.TxnLogHistory;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One scenario: the load runs, faults strike at seeded moments, all is drained and judged. */
final class FaultRun implements AutoCloseable {
  static final Duration SESSION = Duration.ofSeconds(2);
  private static final Duration DRAIN = Duration.ofSeconds(90);
  private static final boolean LONG = "long".equals(System.getProperty("faults"));

  private final String name;
  private final Servers servers;
  private final long seed = Long.getLong("faults.seed", System.nanoTime() & 0xffff_ffffL);
  private final Random random = new Random(seed);
  private final List<FaultNode> nodes = new ArrayList<>();
  private final List<Callboard> boards = new ArrayList<>();
  private final List<ChildProcess> children = new ArrayList<>();
  private final Senders senders;
  private final Callboard driver;
  private final FaultNode driverNode;
  private final long begun = System.nanoTime();
  private int faults;
  private boolean stopped;

  /** Harm, and its end. */
  interface Fault {
    void strike(Random random) throws Exception;
  }

  FaultRun(String name, Servers servers) throws Exception {
    this.name = name;
    this.servers = servers;
    driverNode = new FaultNode("driver", servers);
    driver = FaultNode.open("driver", "", driverNode.connectString(), SESSION);
    senders = new Senders(driver);
  }

  /** Nodes in this JVM, each the owner of a space as long as nothing fails. */
  void nodes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      FaultNode node = new FaultNode("node" + i, servers);
      nodes.add(node);
      boards.add(FaultNode.open(node.name(), "", node.connectString(), SESSION));
      Futures.await(Load.host(boards.get(i), i));
    }
    for (int i = 0; i < count * (Load.SPACES - 1); i++) {
      Futures.await(Load.host(boards.get(i % count), i % count + 1 + i / count));
    }
  }

  /** Nodes in processes of their own. */
  void processes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      nodes.add(new FaultNode("node" + i, servers));
      children.add(process(i));
    }
  }

  private ChildProcess process(int i) throws Exception {
    FaultNode node = nodes.get(i);
    return ChildProcess.start(
        Path.of("target", "faults", "%s-%s.log".formatted(name, node.name())),
        List.of(),
        NodeMain.class.getName(),
        node.name(),
        "home-" + node.name(),
        node.connectString(),
        String.valueOf(SESSION.toMillis()),
        String.valueOf(i));
  }

  ChildProcess child(int i) {
    return children.get(i);
  }

  /** One that was killed begins again, under its name. */
  void restart(int i) throws Exception {
    children.set(i, process(i));
  }

  /** The nodes, the one that sends among them. */
  List<FaultNode> network() {
    List<FaultNode> all = new ArrayList<>(nodes);
    all.add(driverNode);
    return all;
  }

  void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Lets {@code faults} strike in turn, at random moments, for that long, or ten times that. */
  void play(int seconds, Fault... kinds) throws Exception {
    senders.start();
    awaitWork();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONG ? seconds * 10L : seconds);
    for (int i = 0; i < kinds.length || System.nanoTime() - end < 0; i++) {
      pause(100 + random.nextInt(500));
      kinds[i % kinds.length].strike(random);
      faults++;
    }
    network().forEach(FaultNode::heal);
  }

  /** Every worker and collector has begun. */
  private void awaitWork() throws Exception {
    try (Inspector inspector = new Inspector(servers.connectString())) {
      Eventually.assertThat(
          DRAIN,
          () ->
              assertThat(inspector.collected().keySet())
                  .filteredOn(sender -> !sender.endsWith(Load.ECHO)) // echoes may be first to come
                  .hasSize(Load.SENDERS));
    }
  }

  /** Stops the senders, waits until all is drained, stops everything and judges. */
  void judge() throws Exception {
    try {
      senders.end();
      drained();
      stop();
      report(judge(TxnLogHistory.of(Inspector.ROOT, servers.logs())));
    } catch (AssertionError | Exception e) {
      throw new AssertionError("%s with -Dfaults.seed=%d: %s".formatted(name, seed, e), e);
    }
  }

  private void drained() throws Exception {
    try (Inspector inspector = new Inspector(servers.connectString())) {
      Eventually.assertThat(DRAIN, () -> assertThat(senders.underWay()).isZero());
      assertThat(senders.refused()).isEmpty();
      Eventually.assertThat(
          DRAIN,
          () -> {
            assertThat(inspector.collected()).isEqualTo(senders.due());
            assertThat(inspector.waiting()).isZero();
          });
      assertThat(inspector.wrong()).isEmpty();
    }
  }

  private TxnLogHistory.Figures judge(TxnLogHistory history) throws Exception {
    assertThat(history.violations()).as("the first in %s", servers.logs()).isEmpty();
    TxnLogHistory.Figures figures = history.figures();
    assertThat(history.waiting()).isZero();
    assertThat(figures.parked()).isEqualTo((int) senders.bad());
    assertThat(history.blobs()).as("large orders").isPositive();
    assertThat(history.blobsLeft()).isEmpty();
    assertThat(figures.stored())
        .isEqualTo((int) (2 * senders.accepted() - senders.bad() + 2 * senders.echoed()));
    return figures;
  }

  private void report(TxnLogHistory.Figures figures) {
    System.err.printf(
        "faults: %s: %d faults, %d orders accepted, %d bad, %s, %d s, seed %d%n",
        name,
        faults,
        senders.accepted(),
        senders.bad(),
        figures,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
        seed);
  }

  private void stop() throws Exception {
    for (Callboard board : boards) {
      FaultNode.close(board);
    }
    boards.clear();
    for (ChildProcess child : children) {
      child.close();
    }
    children.clear();
    if (!stopped) {
      stopped = true;
      FaultNode.close(driver);
      servers.close();
    }
  }

  @Override
  public void close() throws Exception {
    for (ChildProcess child : children) {
      child.kill();
    }
    network().forEach(FaultNode::heal);
    try (servers;
        driverNode) {
      stop();
    }
    for (FaultNode node : nodes) {
      node.close();
    }
  }
}
