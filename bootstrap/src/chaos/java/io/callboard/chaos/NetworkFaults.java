package io.callboard.chaos;

import io.callboard.chaos.Network.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Faults of the network between nodes, and between them and the ensemble. */
final class NetworkFaults {
  private final Cluster cluster;

  NetworkFaults(Cluster cluster) {
    this.cluster = cluster;
  }

  List<Fault> all() {
    return List.of(
        new Fault("reset", this::reset),
        new Fault("cut-from-nodes", random -> cut(random, 500, 5_000, this::fromNodes)),
        new Fault("cut-one-way-in", random -> cut(random, 500, 5_000, cluster::waysIn)),
        new Fault("cut-one-way-out", random -> cut(random, 500, 5_000, cluster::waysOut)),
        new Fault(
            "cut-from-ensemble-briefly", random -> cut(random, 300, 2_000, cluster::waysToServers)),
        new Fault("cut-from-ensemble", random -> cut(random, 5_000, 8_000, cluster::waysToServers)),
        new Fault(
            "cut-answers-of-ensemble", random -> cut(random, 500, 7_000, cluster::waysFromServers)),
        new Fault("cut-off", random -> cut(random, 1_000, 8_000, this::fromAll)));
  }

  private interface Ways {
    List<Way> of(int host);
  }

  private List<Way> fromNodes(int host) {
    List<Way> ways = new ArrayList<>(cluster.waysIn(host));
    ways.addAll(cluster.waysOut(host));
    return ways;
  }

  private List<Way> fromAll(int host) {
    List<Way> ways = new ArrayList<>(fromNodes(host));
    ways.addAll(cluster.waysToServers(host));
    return ways;
  }

  private Member any(Random random) {
    return cluster.members().get(random.nextInt(cluster.members().size()));
  }

  private String reset(Random random) {
    Member member = any(random);
    cluster.network().reset(member.number());
    return member.name();
  }

  private String cut(Random random, int fromMs, int toMs, Ways ways) throws IOException {
    Member member = any(random);
    Duration time = NodeFaults.between(random, fromMs, toMs);
    cluster.network().cut(ways.of(member.number()));
    Await.pass(time);
    cluster.network().heal();
    return "%s for %d ms".formatted(member.name(), time.toMillis());
  }
}
