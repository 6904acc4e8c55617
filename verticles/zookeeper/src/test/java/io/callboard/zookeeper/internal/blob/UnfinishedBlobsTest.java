package io.callboard.zookeeper.internal.blob;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.TestServers;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.client.Handle;
import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the remains of a write that failed half-way are removed, and nothing that a commit has
 * named.
 */
@Tag("real")
class UnfinishedBlobsTest {
  private static void create(Handle handle, String path) throws Exception {
    await(handle.create(path, new byte[] {1}, CreateMode.PERSISTENT));
  }

  @Test
  void restsGoAndWhatWasNamedStays() throws Exception {
    EmbeddedZooKeeper server = TestServers.start("rests");
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(5), Duration.ofSeconds(10));
    Handle handle = new Handle(options, event -> {});
    try {
      create(handle, "/rest");
      create(handle, "/rest/0");
      create(handle, "/rest/2");
      create(handle, "/named");
      create(handle, "/named/0");
      assertThat(await(handle.set("/named", new byte[] {2}, 0)).getVersion()).isOne();
      UnfinishedBlobs rests = new UnfinishedBlobs();
      rests.add("/rest");
      rests.add("/named");
      rests.add("/never-made");
      rests.remove(handle);
      Eventually.assertThat(() -> assertThat(isThere(handle, "/rest")).isFalse());
      assertThat(isThere(handle, "/named/0")).isTrue();
    } finally {
      handle.close(1_000);
      server.close();
    }
  }

  private static boolean isThere(Handle handle, String path) {
    try {
      return await(handle.exists(path, null)).isPresent();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
