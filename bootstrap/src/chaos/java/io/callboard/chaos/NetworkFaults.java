package io.callboard.chaos;

import io.callboard.chaos.Network.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Faults of the network between nodes, and between them and the ensemble. Where hosts have
 * addresses of their own, also those between servers, and hosts that vanish.
 */
final class NetworkFaults {
  private final Cluster cluster;

  NetworkFaults(Cluster cluster) {
    this.cluster = cluster;
  }

  List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    all.add(new Fault("cut-from-nodes", random -> cut(random, 500, 5_000, this::fromNodes)));
    all.add(new Fault("cut-from-some-nodes", this::cutFromSome));
    all.add(new Fault("cut-one-way-in", random -> cut(random, 500, 5_000, cluster::waysIn)));
    all.add(new Fault("cut-one-way-out", random -> cut(random, 500, 5_000, cluster::waysOut)));
    all.add(
        new Fault(
            "cut-from-ensemble-briefly",
            random -> cut(random, 300, 2_000, cluster::waysToServers)));
    all.add(
        new Fault(
            "cut-from-ensemble", random -> cut(random, 5_000, 8_000, cluster::waysToServers)));
    all.add(
        new Fault(
            "cut-answers-of-ensemble",
            random -> cut(random, 500, 7_000, cluster::waysFromServers)));
    all.add(new Fault("cut-off", random -> cut(random, 1_000, 8_000, this::fromAll)));
    if (cluster.network() instanceof LoopbackNetwork lines) {
      all.add(new Fault("reset", random -> reset(random, lines)));
    } else {
      all.add(new Fault("vanish", this::vanish));
      if (cluster.servers().count() > 1) {
        all.add(new Fault("cut-server", random -> cutServer(random, cluster::waysOfServer)));
        all.add(
            new Fault(
                "cut-server-from-servers",
                random -> cutServer(random, server -> both(cluster.waysToOtherServers(server)))));
        all.add(
            new Fault(
                "cut-server-one-way", random -> cutServer(random, cluster::waysToOtherServers)));
      }
    }
    return all;
  }

  private interface Ways {
    List<Way> of(int host);
  }

  private static List<Way> both(List<Way> ways) {
    List<Way> both = new ArrayList<>(ways);
    ways.forEach(way -> both.add(way.back()));
    return both;
  }

  private List<Way> fromNodes(int host) {
    return both(cluster.waysIn(host));
  }

  private List<Way> fromAll(int host) {
    List<Way> ways = new ArrayList<>(fromNodes(host));
    ways.addAll(cluster.waysToServers(host));
    return ways;
  }

  private Member any(Random random) {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  private String reset(Random random, LoopbackNetwork lines) {
    Member member = any(random);
    lines.reset(member.number());
    return member.name();
  }

  private String cut(Random random, int fromMs, int toMs, Ways ways) throws Exception {
    Member member = any(random);
    return "%s for %s"
        .formatted(member.name(), cut(random, fromMs, toMs, ways.of(member.number())));
  }

  /** Cuts, and heals after a while; returns how long that was. */
  private String cut(Random random, int fromMs, int toMs, List<Way> ways) throws Exception {
    Duration time = NodeFaults.between(random, fromMs, toMs);
    cluster.network().cut(ways);
    try {
      Await.pass(time);
    } finally {
      cluster.network().heal();
    }
    return "%d ms".formatted(time.toMillis());
  }

  /** Cuts a node from one of the others at least, but not from all if there are more. */
  private String cutFromSome(Random random) throws Exception {
    Member member = any(random);
    List<Way> ways = new ArrayList<>(cluster.waysIn(member.number()));
    Collections.shuffle(ways, random);
    int number = 1 + random.nextInt(Math.max(1, ways.size() - 1));
    List<Way> some = ways.subList(0, number);
    return "%s from %d others for %s"
        .formatted(member.name(), number, cut(random, 500, 8_000, both(some)));
  }

  /**
   * A host is gone from one moment to the next, as without power: nobody is told that its
   * connections have ended.
   */
  private String vanish(Random random) throws Exception {
    Member member = any(random);
    cluster.network().cut(fromAll(member.number()));
    try {
      member.kill();
      Await.pass(NodeFaults.between(random, 1_000, 8_000));
    } finally {
      cluster.network().heal();
    }
    NodeFaults.begin(member);
    return member.name();
  }

  /** Cuts a server, which may be the leader; the others are a quorum. */
  private String cutServer(Random random, Ways ways) throws Exception {
    int server = random.nextInt(cluster.servers().count());
    String time = cut(random, 1_000, 8_000, ways.of(server));
    new ServerFaults(cluster.servers()).awaitWhole();
    return "server %d for %s".formatted(server, time);
  }
}
