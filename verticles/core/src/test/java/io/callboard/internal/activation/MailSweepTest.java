package io.callboard.internal.activation;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.internal.Waits;
import io.callboard.internal.node.TestNode;
import io.callboard.internal.node.TestNode.Add;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The last rung of the doorbell hangs on nothing but what is owned. */
class MailSweepTest {
  private static final ActorOptions OPTIONS = new ActorOptions();

  @Test
  void ownedPartitionsAreSweptForMailThoughNoLeaseCanBeRead() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Add> unused = await(node.spawn("/a/b", Counter::new, OPTIONS));
      for (StoreException failure :
          List.of(StoreException.denied("no right", null), TestNode.unavailable())) {
        node.store.answer("leases", call -> Future.failedFuture(failure));
        Promise<Void> looked = Promise.promise();
        node.store.answer(
            "withMail",
            call -> {
              looked.tryComplete();
              return call.goOn();
            });
        node.storeEvents().connected();
        await(looked.future());
      }
    }
  }

  /** Each look reads the header of every mailbox there. */
  @Test
  void aSweepLooksIntoOnePartitionAfterAnother() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Add> unused = await(node.spawn("/a/b", Counter::new, OPTIONS));
      for (String space : List.of("/b", "/c", "/d")) {
        await(node.spawn(space + "/b", Counter::new, OPTIONS));
      }
      int partitions = node.ownership().ownedPartitions().size();
      assertThat(partitions).isGreaterThan(2);
      BlockingQueue<Promise<Object>> looks = new LinkedBlockingQueue<>();
      node.store.answer(
          "withMail",
          call -> {
            Promise<Object> look = Promise.promise();
            looks.add(look);
            return look.future();
          });
      node.storeEvents().connected();
      for (int i = 0; i < partitions; i++) {
        Promise<Object> look = Waits.next(looks);
        onDurableContext(node);
        assertThat(looks).as("looks beside number %d", i).isEmpty();
        look.complete(List.of());
      }
    }
  }

  /** Waits until the durable context has done what was requested there before. */
  private static void onDurableContext(TestNode node) throws Exception {
    Promise<Void> done = Promise.promise();
    node.context().onDurableContext(() -> done.complete());
    await(done.future());
  }
}
