package io.callboard.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the cells that this node may use. */
@Tag("real")
class CellFormatTest {
  private static EmbeddedZooKeeper server;
  private static ZooKeeper raw;

  private final String cell = "cell-" + System.nanoTime();
  private final String root = "/callboard/" + cell;
  private final ZooKeeperOptions options =
      new ZooKeeperOptions(
          server.connectString(), cell, Duration.ofSeconds(5), Duration.ofSeconds(10));

  @BeforeAll
  static void startServer() throws Exception {
    server = TestServers.start("format");
    raw = RawClient.connect(server.connectString());
  }

  @AfterAll
  static void stopServer() throws Exception {
    raw.close();
    server.close();
  }

  private void plant(String format) throws Exception {
    try (TestNode node = new TestNode(options).open("first")) {
      node.tell(ActorPath.of("/space/a"));
    }
    for (String top : raw.getChildren(root, false)) {
      if (!top.equals("fmt")) {
        ZKUtil.deleteRecursive(raw, root + "/" + top);
      }
    }
    raw.setData(root + "/fmt", format.getBytes(StandardCharsets.UTF_8), -1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'f':2,'partitions':64,'cellId':'x'}",
        "{'f':2,'partitions':64,'cellId':'x','minReader':2}",
        "{'f':7,'minReader':3,'partitions':{'per':'space'}}"
      })
  void aNewerCellIsRefusedBeforeAnythingIsWritten(String format) throws Exception {
    plant(format.replace('\'', '"'));
    long before = raw.exists(root, false).getPzxid();
    try (TestNode node = new TestNode(options)) {
      assertThatThrownBy(() -> node.open("node")).satisfies(CellFormatTest::isNewer);
    }
    assertThatThrownBy(() -> Clustering.connect(options)).satisfies(CellFormatTest::isNewer);
    assertThat(raw.getChildren(root, false)).containsExactly("fmt");
    assertThat(raw.exists(root, false).getPzxid()).isEqualTo(before);
  }

  private static void isNewer(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
    assertThat(failure)
        .hasMessageContaining("/fmt has format ")
        .hasMessageContaining("this node reads up to 1: it was written by a newer node")
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'partitions':64,'cellId':'x'}",
        "{'f':0,'partitions':64,'cellId':'x'}",
        "{'f':1,'minReader':0,'partitions':64,'cellId':'x'}",
        "{'f':1,'partitions':0,'cellId':'x'}",
        "{'f':1,'cellId':'x'}",
        "nonsense",
        ""
      })
  void aDamagedFormatIsNamed(String format) {
    byte[] data = format.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> CellFormat.decode("znode /x/fmt", data))
        .hasMessageContaining("znode /x/fmt");
  }

  @Test
  void aNewerCellThatAllowsThisNodeIsUsed() throws Exception {
    try (TestNode first = new TestNode(options).open("first")) {
      first.tell(ActorPath.of("/space/a"));
    }
    String newer = "{\"f\":3,\"minReader\":1,\"partitions\":64,\"cellId\":\"x\",\"more\":[1]}";
    raw.setData(root + "/fmt", newer.getBytes(StandardCharsets.UTF_8), -1);
    try (TestNode node = new TestNode(options).open("node")) {
      node.tell(ActorPath.of("/space/a"));
    }
    Clustering.connect(options).close();
    assertThat(new String(raw.getData(root + "/fmt", false, null), StandardCharsets.UTF_8))
        .isEqualTo(newer);
  }

  @Test
  void aNewCellSaysWhoMayReadIt() throws Exception {
    try (TestNode node = new TestNode(options).open("node")) {
      CellFormat format = CellFormat.decode("fmt", raw.getData(root + "/fmt", false, null));
      assertThat(format.f()).isEqualTo(1);
      assertThat(format.minReader()).isEqualTo(1);
      assertThat(node.store()).isNotNull();
    }
  }
}
