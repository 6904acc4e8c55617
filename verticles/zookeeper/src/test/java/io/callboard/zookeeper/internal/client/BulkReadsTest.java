package io.callboard.zookeeper.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Waits;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

class BulkReadsTest {
  private static final Node NODE = new Node(new byte[] {1}, new Stat());

  /** ZooKeeper's thread has completed the read, and still calls what registered first. */
  @Test
  void aReadIsCompleteHoweverLateTheHandlersAreCalled() throws Exception {
    Promise<Optional<Node>> first = Promise.promise();
    CountDownLatch completed = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    var unused =
        first
            .future()
            .onSuccess(
                node -> {
                  completed.countDown();
                  awaits(goOn);
                });
    Thread zookeeper = new Thread(() -> first.complete(Optional.of(NODE)));
    try {
      Future<Map<String, Node>> read =
          BulkReads.apart(
              path -> {
                if (path.equals("/first")) {
                  return first.future();
                }
                zookeeper.start();
                awaits(completed);
                return Future.succeededFuture(Optional.of(NODE));
              },
              List.of("/first", "/second"));
      assertThat(read.isComplete()).isTrue();
      assertThat(read.result()).containsOnlyKeys("/first", "/second");
    } finally {
      goOn.countDown();
      zookeeper.join();
    }
  }

  private static void awaits(CountDownLatch latch) {
    Waits.opened(latch);
  }
}
