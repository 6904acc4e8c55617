package io.callboard.chaos;

import io.callboard.chaos.hosts.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Faults of ZooKeeper. */
final class ServerFaults {
  private static final Duration WHOLE = Duration.ofSeconds(180);

  private final Servers servers;

  ServerFaults(Servers servers) {
    this.servers = servers;
  }

  List<Fault> all() {
    List<Fault> all = new ArrayList<>();
    all.add(new Fault("kill-leader", random -> kill(leader(), random)));
    all.add(new Fault("freeze-leader", random -> freezeLeader(random)));
    all.add(new Fault("kill-ensemble", this::killAll));
    if (servers.count() > 1) {
      all.add(new Fault("kill-server", random -> kill(random.nextInt(servers.count()), random)));
      all.add(new Fault("lose-quorum", this::loseQuorum));
    }
    return all;
  }

  List<Fault> disk() {
    return List.of(new Fault("disk-full", this::fill));
  }

  private int leader() throws Exception {
    Await.until("a leader", WHOLE, () -> servers.leader().isPresent());
    return servers.leader().orElse(0);
  }

  private String kill(int server, Random random) throws Exception {
    servers.member(server).kill();
    Await.pass(NodeFaults.between(random, 0, 2_000));
    again(List.of(server));
    return "server %d".formatted(server);
  }

  private String killAll(Random random) throws Exception {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < servers.count(); i++) {
      servers.member(i).kill();
      all.add(i);
    }
    Duration time = NodeFaults.between(random, 0, 6_000);
    Await.pass(time);
    again(all);
    return "all for %d ms".formatted(time.toMillis());
  }

  private String loseQuorum(Random random) throws Exception {
    Duration time = NodeFaults.between(random, 1_000, 6_000);
    return "%s for %d ms".formatted(withoutQuorum(() -> Await.pass(time)), time.toMillis());
  }

  /** Action while there is no quorum. */
  interface Meanwhile {
    void happens() throws Exception;
  }

  /**
   * Stops a majority of the servers meanwhile.
   *
   * @return names of the servers that were away
   */
  String withoutQuorum(Meanwhile meanwhile) throws Exception {
    int leader = leader();
    int other = (leader + 1) % servers.count();
    servers.member(leader).kill();
    servers.member(other).kill();
    try {
      meanwhile.happens();
    } finally {
      again(List.of(leader, other));
    }
    return "servers %d, %d".formatted(leader, other);
  }

  /** Freezes the leader; that of an ensemble for so long that the others elect another. */
  private String freezeLeader(Random random) throws Exception {
    return servers.count() == 1
        ? freeze(leader(), NodeFaults.between(random, 500, 3_000))
        : freeze(leader(), NodeFaults.between(random, 4_500, 7_000));
  }

  private String freeze(int server, Duration time) throws Exception {
    servers.member(server).freeze();
    try {
      Await.pass(time);
    } finally {
      servers.member(server).thaw();
    }
    return "server %d for %d ms".formatted(server, time.toMillis());
  }

  /**
   * Fills the disk of a server, so that no file can grow; the server ends, and continues when there
   * is space again.
   */
  private String fill(Random random) throws Exception {
    int server = random.nextInt(servers.count());
    servers.member(server).limitFiles(1);
    boolean stopped = Await.holds(WHOLE, () -> !servers.serves(server));
    Await.pass(NodeFaults.between(random, 0, 1_000));
    servers.member(server).close(); // a member of an ensemble stays, and serves nobody
    again(List.of(server));
    if (!stopped) {
      throw new IOException("server %d went on with a full disk".formatted(server));
    }
    return "server %d".formatted(server);
  }

  private void again(List<Integer> ended) throws Exception {
    for (int server : ended) {
      servers.restart(server);
    }
    awaitWhole();
  }

  /** Waits until all servers serve, and one leads. */
  void awaitWhole() throws Exception {
    Await.until(
        "the ensemble is whole again",
        WHOLE,
        () -> {
          servers.startLeftBehind();
          return servers.isWhole();
        });
  }
}
