package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.cell.CellListener;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node whose session can never be renewed leaves its cell at once: others do its work. */
class EndedNodeTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Returns a store that fails to read what it knows of this node. */
  private static Store unreadable(MemoryStore store) {
    return Intercepted.of(
        Store.class,
        store,
        call -> {
          if (call.is("renew")) {
            return Future.failedFuture(StoreException.corrupt("znode /i/one is damaged"));
          }
          return call.proceed();
        });
  }

  @Test
  void aNodeThatCannotRenewGivesUpItsSessionAndItsOwnerIsTold() throws Exception {
    MemoryStore store = new MemoryStore(nodes.cell());
    Callboard one = nodes.open("one", options -> options.store(() -> unreadable(store)));
    Future<Void> closed = one.closed();
    CountDownLatch sessionLost = new CountDownLatch(1);
    one.listen(
        new CellListener() {
          @Override
          public void sessionLost() {
            sessionLost.countDown();
          }
        });
    await(one.<Add>host("/counters", Counter::new, new ActorOptions()));
    await(one.durableRef("/counters/a", Add.class).ask(new Add(1), Total.class));
    Callboard two = nodes.open("two");
    await(two.<Add>host("/counters", Counter::new, new ActorOptions()));

    await(store.expire());
    var unused = one.durableRef("/counters/a", Add.class).tell(new Add(1));

    assertThatThrownBy(() -> await(closed))
        .hasMessageContainingAll("can no longer commit", "znode /i/one is damaged");
    Waits.opened(sessionLost);
    assertThat(await(two.members())).extracting(Member::name).containsExactly("two");
    assertThat(await(two.durableRef("/counters/a", Add.class).ask(new Add(1), Total.class)).value())
        .isGreaterThanOrEqualTo(2);
  }
}
