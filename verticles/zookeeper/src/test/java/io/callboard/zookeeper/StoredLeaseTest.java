package io.callboard.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.callboard.zookeeper.internal.read.CellReader.StoredLease;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/**
 * Tests that leases of older nodes are read, and that a written lease holds no more than there is.
 */
class StoredLeaseTest {
  private static final Partition PARTITION = new Partition("s", 3);

  private static Lease read(String json) {
    Stat stat = new Stat();
    stat.setVersion(7);
    Node node = new Node(json.getBytes(StandardCharsets.UTF_8), stat);
    return StoredLease.decode("/o/" + PARTITION, node);
  }

  @Test
  void fieldsThatOlderNodesDoNotWriteAreEmpty() {
    assertThat(read("{\"f\":1,\"epoch\":2,\"owner\":\"a\",\"boot\":\"b\"}"))
        .isEqualTo(new Lease(PARTITION, 2, "a", "b", 7, "", Instant.EPOCH, ""));
  }

  @Test
  void aSuccessorIsWrittenOnlyForAPartitionThatWasHandedOver() {
    Lease held = new Lease(PARTITION, 2, "a", "b", 6, "", Instant.EPOCH);
    String free =
        new String(StoredLease.encode(held.released(Instant.EPOCH)), StandardCharsets.UTF_8);
    assertThat(free)
        .isEqualTo("{\"f\":1,\"epoch\":2,\"owner\":\"\",\"boot\":\"\",\"last\":\"a\",\"at\":0}");
    Lease handed = held.handedTo("c").released(Instant.EPOCH);
    String written = new String(StoredLease.encode(handed), StandardCharsets.UTF_8);
    assertThat(written).contains("\"to\":\"c\"");
    assertThat(read(written)).isEqualTo(handed);
  }
}
