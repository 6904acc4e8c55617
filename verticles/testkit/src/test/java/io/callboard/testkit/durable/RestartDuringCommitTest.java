package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator restarts a durable actor while a commit of it waits. */
class RestartDuringCommitTest {
  private static final int LOOKS = 50;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final List<Integer> handled = new CopyOnWriteArrayList<>();
  private final List<Object> dead = new CopyOnWriteArrayList<>();
  private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean holds;

  record Go(int n) {}

  private final class Worker extends DurableStateActor<Go, Go> {
    @Override
    protected Go initial() {
      return new Go(0);
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(Go.class, go -> handled.add(go.n()));
    }
  }

  /** Returns the store whose commits take effect and are not answered while they are held. */
  private Store holding(MemoryStore store) {
    return Intercepted.of(
        Store.class,
        store,
        call -> {
          Object result = call.proceed();
          if (call.is("read")) {
            reads.incrementAndGet();
          }
          if (!holds || !call.is("commit")) {
            return result;
          }
          Promise<Object> answer = Promise.promise();
          held.add(() -> ((Future<?>) result).map(each -> (Object) each).onComplete(answer));
          return answer.future();
        });
  }

  private void release() {
    holds = false;
    for (Runnable next = held.poll(); next != null; next = held.poll()) {
      next.run();
    }
  }

  @Test
  void anAtMostOnceActorIsLoadedWhenItIsKnownWhatItHasConsumed() throws Exception {
    Callboard node =
        nodes.open("one", options -> options.store(() -> holding(new MemoryStore(nodes.cell()))));
    Callboard other =
        nodes.open("two", options -> options.store(() -> new MemoryStore(nodes.cell())));
    ActorRef<Go> worker =
        await(
            node.spawn(
                "/worker", Worker::new, new ActorOptions().delivery(DeliveryMode.AT_MOST_ONCE)));
    ActorRef<Go> elsewhere = await(other.spawn("/elsewhere", Worker::new));
    var unused = node.admin().onDeadLetter(dead::add);
    await(worker.tell(new Go(1)));
    Eventually.assertThat(() -> assertThat(handled).containsExactly(1));

    holds = true;
    Future<Void> first = node.durableRef(elsewhere.path().toString(), Go.class).tell(new Go(-1));
    Eventually.assertThat(() -> assertThat(held).hasSize(1));
    int before = reads.get();
    await(other.durableRef("/worker", Go.class).tell(new Go(2)));
    Eventually.assertThat(() -> assertThat(reads).hasValueGreaterThan(before));
    looks(node); // it is read, and its commit waits behind the first
    await(node.admin().restart("/worker"));
    looks(node); // an actor that does not wait is loaded
    release();

    await(first);
    Eventually.assertThat(() -> assertThat(handled).contains(2));
    await(worker.tell(new Go(3)));
    Eventually.assertThat(() -> assertThat(handled).contains(3));
    assertThat(handled).containsOnlyOnce(1, 2, 3);
    assertThat(dead).isEmpty();
  }

  /** Gives the node time for what it does next. */
  private static void looks(Callboard node) {
    for (int i = 0; i < LOOKS; i++) {
      assertThat(await(node.admin().running())).isNotEmpty();
    }
  }
}
