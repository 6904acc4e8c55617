package io.callboard.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commits of many actors of which a node knows wrongly whether their journals are there. */
@Tag("real")
class StaleBeliefsTest {
  private static final List<ActorPath> ACTORS =
      IntStream.range(0, 30).mapToObj(i -> ActorPath.of("/kept/" + i)).toList();

  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("stale-beliefs");

  private static CommitUnit[] turns(int version, long turn) {
    return ACTORS.stream()
        .map(actor -> TestNode.turn(actor, version, turn))
        .toArray(CommitUnit[]::new);
  }

  private static Set<Lease> claimAll(TestNode node) throws Exception {
    Map<Object, Lease> leases = new HashMap<>();
    for (ActorPath actor : ACTORS) {
      Lease lease = node.claim(actor);
      leases.put(lease.partition(), lease);
    }
    return new HashSet<>(leases.values());
  }

  private static void isAppliedTheSecondTime(TestNode node, Set<Lease> leases, CommitUnit... turns)
      throws Exception {
    CommitOutcome first = node.commit(leases, turns);
    assertThat(first)
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.AGAIN));
    assertThat(node.commit(leases, turns)).isInstanceOf(Applied.class);
  }

  @Test
  void howeverManyAreWrongTheCommitIsSentOnceMore() throws Exception {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "stale", Duration.ofSeconds(20), Duration.ofSeconds(10));
    try (TestNode node = new TestNode(options)) {
      node.open("one");
      assertThat(node.commit(claimAll(node), turns(-1, 1))).isInstanceOf(Applied.class);
    }
    try (TestNode node = new TestNode(options);
        ZooKeeper raw = new ZooKeeper(server.connectString(), 20_000, event -> {})) {
      node.open("two"); // it has read none of them
      Set<Lease> leases = claimAll(node);
      isAppliedTheSecondTime(node, leases, turns(0, 2));
      Layout layout = new Layout("/callboard/stale", CellFormat.DEFAULT_PARTITIONS);
      for (ActorPath actor : ACTORS) {
        String journal = layout.journal(actor);
        for (String entry : raw.getChildren(journal, false)) {
          raw.delete(journal + "/" + entry, -1);
        }
        raw.delete(journal, -1);
      }
      isAppliedTheSecondTime(node, leases, turns(1, 3));
    }
  }
}
