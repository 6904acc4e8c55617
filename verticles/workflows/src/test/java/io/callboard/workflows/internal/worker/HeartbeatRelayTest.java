package io.callboard.workflows.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Heartbeats of a handler: their limit, and which of many reach the worker. */
class HeartbeatRelayTest {
  private static final int QUOTES = 2;

  private final List<JsonNode> sent = new ArrayList<>();
  private final HeartbeatRelay heartbeats =
      new HeartbeatRelay(
          progress -> {
            sent.add(progress);
            return Future.succeededFuture();
          });

  @Test
  void onlyTheLastHeartbeatFollowsTheOneThatIsUnderWay() {
    for (int done = 0; done < 1_000; done++) {
      heartbeats.send(IntNode.valueOf(done));
    }
    assertThat(sent).containsExactly(IntNode.valueOf(0));
    heartbeats.arrived();
    assertThat(sent).containsExactly(IntNode.valueOf(0), IntNode.valueOf(999));
    heartbeats.arrived();
    assertThat(sent).hasSize(2);
    heartbeats.send(IntNode.valueOf(1_000));
    assertThat(sent).hasSize(3);
  }

  @Test
  void aLostHeartbeatHoldsUpNoOther() {
    HeartbeatRelay lossy =
        new HeartbeatRelay(
            progress -> {
              sent.add(progress);
              return Future.failedFuture("the mailbox is full");
            });
    lossy.send(IntNode.valueOf(1));
    lossy.send(IntNode.valueOf(2));
    assertThat(sent).containsExactly(IntNode.valueOf(1), IntNode.valueOf(2));
  }

  @Test
  void aHeartbeatThatIsTooLongIsRefusedWithItsSizeAndTheLimit() {
    int most = HeartbeatRelay.MOST_BYTES - QUOTES;
    assertThatThrownBy(() -> heartbeats.send(TextNode.valueOf("x".repeat(most + 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a heartbeat has 4,097 bytes as JSON; the limit is 4,096");
    assertThat(sent).isEmpty();
    heartbeats.send(TextNode.valueOf("x".repeat(most)));
    assertThat(sent).hasSize(1);
  }
}
