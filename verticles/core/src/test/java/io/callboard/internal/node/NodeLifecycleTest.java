package io.callboard.internal.node;

import static io.callboard.internal.Waits.await;
import static io.callboard.internal.node.TestNode.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.node.TestNode.Add;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.internal.node.TestNode.Total;
import io.callboard.internal.turn.Between;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A node is closed step by step, each on the durable context, whatever becomes of the others. */
class NodeLifecycleTest {
  private static final ActorOptions OPTIONS = new ActorOptions();

  private final List<Context> contexts = new CopyOnWriteArrayList<>();

  private Between.Answer noting(Between.Answer then) {
    return call -> {
      contexts.add(((ContextInternal) Vertx.currentContext()).unwrap());
      return then.to(call);
    };
  }

  private static void failsWith(Future<?> future, Code code) throws Exception {
    assertThat(failure(future))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aStepThatFailsKeepsNoneAfterItFromBeingDone() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Add> counter = await(node.spawn("/a/b", Counter::new, OPTIONS));
      await(counter.tell(new Add(1)));
      Future<Total> ask =
          node.parts.asks().open(counter.path(), Total.class, Duration.ofMinutes(1)).answer();
      node.store.answer(
          "release",
          noting(
              call -> {
                throw new IllegalStateException("broken");
              }));
      node.store.answer("close", noting(call -> call.goOn()));
      await(node.shut());
      assertThat(contexts).containsExactly(context(node), context(node));
      failsWith(ask, Code.STOPPED);
    }
  }

  private static Context context(TestNode node) {
    return node.parts.context().durableContext();
  }

  @Test
  void aCommitUnderWayForTooLongIsGivenUpOnTheDurableContext() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Add> counter = await(node.spawn("/a/b", Counter::new, OPTIONS));
      Promise<Void> sent = Promise.promise();
      node.store.answer(
          "commit",
          call -> {
            sent.tryComplete();
            return Promise.promise().future();
          });
      Future<Void> told = counter.tell(new Add(1));
      await(sent.future());
      node.store.answer("release", noting(call -> call.goOn()));
      node.store.answer("close", noting(call -> call.goOn()));
      await(node.shut());
      failsWith(told, Code.STOPPED);
      assertThat(contexts).containsExactly(context(node), context(node));
    }
  }
}
