package io.callboard.bench;

import io.callboard.ActorRef;
import io.callboard.bench.Case.Better;
import io.callboard.bench.CrowdNode.Add;
import io.callboard.bench.CrowdNode.Total;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Cost of a hundred thousand durable actors on three nodes, most of them passive: heap of the
 * ZooKeeper server and of the nodes, znodes and writes, the time to activate one, and the effects
 * of a killed and of a new node. No peer: it is the source of the capacity guide.
 */
final class Capacity implements Row {
  private static final int ACTORS = 100_000;
  private static final int QUICK_ACTORS = 5_000;
  private static final int NODES = 3;
  private static final int WAKE_UPS = 500;
  private static final int AFTER_A_KILL = 300;
  private static final int UNDER_WAY = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final List<String> HEAP = List.of("-Xmx1g");

  private final SplittableRandom random = new SplittableRandom(7);
  private final List<Child> nodes = new ArrayList<>();
  private final List<Case> cases = new ArrayList<>();

  @Override
  public String name() {
    return "capacity";
  }

  @Override
  public String about() {
    return "100,000 durable actors on three nodes: memory, wake-up, a node killed, a node added";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    int actors = stage.quick() ? QUICK_ACTORS : ACTORS;
    String data = stage.directory("zookeeper").toString();
    try (Child server = Child.start(Servers.Single.class, List.of("-Xmx4g"), data)) {
      String servers = server.expect("ready");
      for (int i = 0; i < NODES; i++) {
        nodes.add(start(servers, "crowd-" + i));
      }
      try (Node asker = Node.clustered(servers, "asker");
          Ledger ledger = new Ledger(servers)) {
        long serverBefore = figure(server, "heap");
        long znodesBefore = ledger.znodes();
        long writesBefore = ledger.writes();
        List<Long> nodesBefore = heaps();
        tellEach(asker, actors);
        awaitPassive();
        each(
            "writes until a new actor is passive",
            "writes",
            actors,
            ledger.writes() - writesBefore);
        each("znodes of a passive actor", "znodes", actors, ledger.znodes() - znodesBefore);
        costs(actors, figure(server, "heap") - serverBefore, nodesBefore);
        wakeUps(asker, actors, ledger);
        killed(asker, actors, servers);
      } finally {
        nodes.forEach(Child::close);
      }
    }
    return cases;
  }

  private static Child start(String servers, String name) throws Exception {
    Child node = Child.start(CrowdNode.class, HEAP, servers, name);
    var unused = node.expect("ready");
    return node;
  }

  private static long figure(Child child, String what) throws Exception {
    child.order(what);
    return Long.parseLong(child.expect(what));
  }

  private List<Long> heaps() throws Exception {
    List<Long> heaps = new ArrayList<>();
    for (Child node : nodes) {
      heaps.add(figure(node, "heap"));
    }
    return heaps;
  }

  private static ActorRef<Add> actor(Node asker, int number) {
    return asker.callboard().durableRef(CrowdNode.PREFIX + "/a" + number, Add.class);
  }

  /** Tells each actor its first message, which creates its record and mailbox. */
  private void tellEach(Node asker, int actors) throws Exception {
    Semaphore room = new Semaphore(UNDER_WAY);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long begun = System.nanoTime();
    for (int i = 0; i < actors; i++) {
      room.acquire();
      actor(asker, i).tell(new Add(1)).onFailure(failure::set).onComplete(told -> room.release());
    }
    room.acquire(UNDER_WAY);
    if (failure.get() != null) {
      throw new IllegalStateException("an actor was not told", failure.get());
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    Progress.say("%d actors told in %.1f s".formatted(actors, seconds));
    add("actors told for the first time", "actors/s", Better.HIGHER, List.of(actors / seconds));
  }

  private void awaitPassive() throws Exception {
    for (Child node : nodes) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      long awake = figure(node, "awake");
      while (awake > 0 && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(200);
        awake = figure(node, "awake");
      }
      Progress.say("%d actors of a node are awake".formatted(awake));
    }
  }

  private void each(String label, String unit, int actors, long ofAll) {
    add(label, unit, Better.LOWER, List.of((double) ofAll / actors));
  }

  private void costs(int actors, long server, List<Long> nodesBefore) throws Exception {
    each("heap of the ZooKeeper server for a passive actor", "bytes", actors, server);
    List<Double> each = new ArrayList<>();
    List<Long> now = heaps();
    for (int i = 0; i < NODES; i++) {
      each.add(Math.max(0, now.get(i) - nodesBefore.get(i)) * (double) NODES / actors);
    }
    add("heap of its node for a passive actor", "bytes", Better.LOWER, each);
  }

  private void wakeUps(Node asker, int actors, Ledger ledger) throws Exception {
    List<Double> millis = new ArrayList<>();
    long writesBefore = ledger.writes();
    for (int i = 0; i < WAKE_UPS; i++) {
      long begun = System.nanoTime();
      Total unused =
          Node.await(actor(asker, random.nextInt(actors)).ask(new Add(1), Total.class, PATIENCE));
      millis.add((System.nanoTime() - begun) / 1e6);
    }
    add("a passive actor answers, durably", "ms", Better.LOWER, millis);
    long writes = ledger.writes() - writesBefore;
    add("writes for that", "writes", Better.LOWER, List.of((double) writes / WAKE_UPS));
  }

  /**
   * Measures the loss of a node with a third of all actors, and the arrival of another node that
   * takes its share.
   */
  private void killed(Node asker, int actors, String servers) throws Exception {
    Child killed = nodes.remove(0);
    killed.kill();
    add("a node is killed: the last of %d answers".formatted(AFTER_A_KILL), asker, actors);
    killed.close();
    nodes.add(start(servers, "crowd-new"));
    add("a node is added: the last of %d answers".formatted(AFTER_A_KILL), asker, actors);
  }

  private void add(String label, Node asker, int actors) throws Exception {
    long begun = System.nanoTime();
    List<Future<Total>> asked = new ArrayList<>();
    for (int i = 0; i < AFTER_A_KILL; i++) {
      asked.add(actor(asker, random.nextInt(actors)).ask(new Add(1), Total.class, PATIENCE));
    }
    var unused = Node.await(Future.all(asked));
    add(label, "ms", Better.LOWER, List.of((System.nanoTime() - begun) / 1e6));
  }

  private void add(String label, String unit, Better better, List<Double> figures) {
    Progress.say("%s: %s %s".formatted(label, Measurement.of(figures), unit));
    cases.add(new Case(label, unit, better, Measurement.of(figures), Map.of()));
  }
}
