package io.callboard.zookeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.cluster.NodeInfo;
import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.PathChildrenCacheEvent;
import org.apache.curator.framework.recipes.cache.PathChildrenCacheEvent.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeInfosTest {
  private static final String NODE = "node-5b3ee5e2-0f33-4f2f-a3b0-5f0f2a9c2a6a-7c1b7ea8";

  private final NodeInfos infos = new NodeInfos();

  private void hear(Type type, byte[] data) {
    ChildData child = new ChildData(CallboardClusterManager.NODES + "/" + NODE, null, data);
    infos.heard(new PathChildrenCacheEvent(type, child));
  }

  private static byte[] written(NodeInfo info) {
    Buffer buffer = Buffer.buffer();
    info.writeToBuffer(buffer);
    return buffer.getBytes();
  }

  @Test
  void theInfoThatWasWrittenLastIsRead() {
    JsonObject metadata = new JsonObject().put("a", 1);
    hear(Type.CHILD_ADDED, written(new NodeInfo("10.0.0.1", 4_000, metadata)));
    assertThat(infos.of(NODE).metadata()).isEqualTo(metadata);
    hear(Type.CHILD_UPDATED, written(new NodeInfo("10.0.0.2", 4_001, null)));
    assertThat(infos.of(NODE)).isEqualTo(new NodeInfo("10.0.0.2", 4_001, null));
  }

  /** The first is what the stock cluster manager writes, the second Curator's default. */
  @ParameterizedTest
  @ValueSource(strings = {NODE, "127.0.1.1", "", "abc"})
  void textIsNoLength(String text) {
    hear(Type.CHILD_ADDED, text.getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> infos.of(NODE))
        .isInstanceOf(VertxException.class)
        .hasMessage("node " + NODE + " has not published its address yet");
  }

  @Test
  void aNodeThatLeftIsNoMember() {
    hear(Type.CHILD_ADDED, written(new NodeInfo("10.0.0.1", 4_000, null)));
    infos.heard(new PathChildrenCacheEvent(Type.CONNECTION_LOST, null));
    assertThat(infos.of(NODE).port()).isEqualTo(4_000);
    hear(Type.CHILD_REMOVED, new byte[0]);
    assertThatThrownBy(() -> infos.of(NODE))
        .isInstanceOf(VertxException.class)
        .hasMessage("node " + NODE + " is not a member of the cluster");
  }
}
