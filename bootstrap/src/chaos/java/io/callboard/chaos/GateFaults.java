package io.callboard.chaos;

import io.callboard.chaos.evidence.Records;
import io.callboard.chaos.hosts.Await;
import io.callboard.codecs.ActorPath;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Faults of the node that has the gate of the jobs. */
final class GateFaults {
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final String GATE = "/jobs/gate";

  private final Cluster cluster;

  GateFaults(Cluster cluster) {
    this.cluster = cluster;
  }

  List<Fault> all() {
    return List.of(
        new Fault("kill-gate", this::kill),
        new Fault("kill-gate-twice", this::killTwice),
        new Fault("freeze-gate", this::freeze),
        new Fault("cut-gate-from-ensemble", this::cut));
  }

  /** Returns the node that has the gate, as the leases in ZooKeeper say. */
  private Member holder() throws Exception {
    try (Records records = new Records(cluster.servers().connectString(), Cluster.CELL)) {
      Await.until("a node that has the gate", LIMIT, () -> !owner(records).isEmpty());
      return cluster.member(owner(records));
    }
  }

  private static String owner(Records records) throws Exception {
    return records.ownerOf(ActorPath.of(GATE));
  }

  private String kill(Random random) throws Exception {
    Member holder = holder();
    holder.kill();
    Await.pass(NodeFaults.between(random, 0, 2_000));
    begin(holder);
    return holder.name();
  }

  /** Kills the node that has the gate, and then the one that takes over. */
  private String killTwice(Random random) throws Exception {
    Member first = holder();
    first.kill();
    try (Records records = new Records(cluster.servers().connectString(), Cluster.CELL)) {
      Await.until(
          "another node has the gate",
          LIMIT,
          () -> !owner(records).isEmpty() && !owner(records).equals(first.name()));
    }
    Await.pass(NodeFaults.between(random, 0, 500));
    Member second = holder();
    if (second != first) {
      second.kill();
    }
    begin(first);
    if (second != first) {
      begin(second);
    }
    return "%s, %s".formatted(first.name(), second.name());
  }

  private String freeze(Random random) throws Exception {
    return NodeFaults.freeze(
        holder(), Cluster.SESSION.plus(NodeFaults.between(random, 1_500, 3_500)));
  }

  private String cut(Random random) throws Exception {
    Member holder = holder();
    Duration time = NodeFaults.between(random, 1_000, 8_000);
    cluster.network().cut(cluster.waysToServers(holder.number()));
    Await.pass(time);
    cluster.network().heal();
    return "%s for %d ms".formatted(holder.name(), time.toMillis());
  }

  private static void begin(Member member) throws Exception {
    member.start();
    Await.until(member.name() + " is ready again", LIMIT, member::isReady);
  }
}
