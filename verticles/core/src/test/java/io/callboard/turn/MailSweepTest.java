package io.callboard.turn;

import static io.callboard.turn.TestNode.await;
import static io.callboard.turn.TestNode.failure;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.store.StoreException;
import io.callboard.turn.TestNode.Add;
import io.callboard.turn.TestNode.Counter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last rung of the doorbell hangs on nothing but what is owned. */
class MailSweepTest {
  private static final ActorOptions OPTIONS = new ActorOptions();

  @Test
  void whatIsOwnedIsLookedAtForMailThoughTheLeasesCannotBe() throws Exception {
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
        node.runtime.durables().events().connected();
        await(looked.future());
      }
    }
  }
}
