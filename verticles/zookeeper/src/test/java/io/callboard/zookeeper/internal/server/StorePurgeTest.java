package io.callboard.zookeeper.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.zookeeper.EmbeddedZooKeeper;
import io.callboard.zookeeper.RawClient;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("real")
class StorePurgeTest {
  private static List<String> names(Path directory, String prefix) {
    File[] files = directory.resolve("version-2").toFile().listFiles();
    return Arrays.stream(files == null ? new File[0] : files)
        .map(File::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  @Test
  void keepsTheNewestSnapshotsAndEverythingWritten() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "old-files"));
    Path directory = Files.createTempDirectory(parent, "zk-");
    for (int start = 0; start < 7; start++) {
      try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, 0, line -> {});
          ZooKeeper client = RawClient.connect(server.connectString())) {
        client.create(
            "/n" + start, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        for (int before = 0; before <= start; before++) {
          assertThat(client.exists("/n" + before, false)).as("/n%d", before).isNotNull();
        }
      }
    }
    new StorePurge(directory).remove();
    assertThat(names(directory, "snapshot")).hasSize(3);
    assertThat(names(directory, "log").size()).isLessThan(7);
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, 0, line -> {});
        ZooKeeper client = RawClient.connect(server.connectString())) {
      for (int before = 0; before < 7; before++) {
        assertThat(client.exists("/n" + before, false)).as("/n%d", before).isNotNull();
      }
    }
  }
}
