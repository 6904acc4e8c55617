package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of commits that remove blobs which are gone already. */
@Tag("real")
class GoneBlobsTest {
  private static final ActorPath RECEIVER = ActorPath.of("/reader");
  private static final int BLOBS = 30;

  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("gone-blobs");

  @Test
  void howeverManyAreGoneTheCommitIsSentOnceMore() throws Exception {
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "gone", Duration.ofSeconds(20), Duration.ofSeconds(10));
    try (TestNode node = new TestNode(options)) {
      node.open("one");
      List<BlobKey> blobs = new ArrayList<>();
      for (int i = 0; i <= BLOBS; i++) {
        blobs.add(
            new BlobKey(RECEIVER, await(node.store().blobs().write(RECEIVER, new byte[1_000]))));
      }
      BlobKey there = blobs.get(BLOBS / 2);
      for (BlobKey each : blobs) {
        if (each != there) {
          await(node.store().blobs().forsake(each));
        }
      }
      CommitUnit removes =
          new CommitUnit(Optional.empty(), Map.of(), Set.of(), new LinkedHashSet<>(blobs));
      CommitOutcome first = node.commit(Set.of(), removes);
      assertThat(first)
          .isInstanceOfSatisfying(
              Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.AGAIN));
      assertThat(node.commit(Set.of(), removes)).isInstanceOf(Applied.class);
      assertThat(await(node.store().blobs().isWhole(there))).as("it is removed").isFalse();
    }
  }
}
