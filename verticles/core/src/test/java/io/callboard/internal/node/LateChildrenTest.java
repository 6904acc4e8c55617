package io.callboard.internal.node;

import static io.callboard.internal.Waits.await;
import static io.callboard.internal.node.TestNode.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.Waits;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.internal.node.TestNode.Total;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** No child outlives the life of the parent that wanted it, however late it comes. */
class LateChildrenTest {
  private static final ActorOptions BLOCKING =
      new ActorOptions().zone(ZoneDefaults.BLOCKING).stopTimeout(Duration.ofMillis(50));

  private final Promise<Void> begun = Promise.promise();
  private final CountDownLatch held = new CountDownLatch(1);
  private final Promise<String> outcome = Promise.promise();

  record Work() {}

  /** Actor that does nothing. */
  private static final class Idle extends Actor<Work> {
    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> {});
    }
  }

  /** Wants a child when it may be too late. */
  private final class Late extends Actor<Work> {
    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> late(() -> spawnChild("kid", Idle::new, new ActorOptions())));
    }
  }

  /** Deploys something, and then keeps its thread. */
  private final class Deployer extends Actor<Work> {
    private final Promise<Void> ended;

    Deployer(Promise<Void> ended) {
      this.ended = ended;
    }

    @Override
    protected Future<?> started() {
      return vertx.deployVerticle(
          new VerticleBase() {
            @Override
            public Future<?> stop() {
              ended.complete();
              return Future.succeededFuture();
            }
          });
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> late(Future::succeededFuture));
    }
  }

  /** A durable one. */
  private final class DurablyLate extends DurableStateActor<Work, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> late(() -> spawnChild("kid", Idle::new, new ActorOptions())));
    }
  }

  /** Keeps the thread, and then wants a child. */
  private void late(Supplier<Future<?>> spawn) {
    begun.complete();
    Waits.opened(held);
    try {
      var unused = spawn.get();
      outcome.complete("taken");
    } catch (CallboardException e) {
      outcome.complete("%s: %s".formatted(e.code(), e.getMessage()));
    }
  }

  /** The next actor of its path has no child by it. */
  @Test
  void aHandlerThatIsLeftBehindGetsNoChild() throws Exception {
    try (TestNode node = new TestNode().open()) {
      await(await(node.spawn("/a", Late::new, BLOCKING)).tell(new Work()));
      await(begun.future());
      await(node.stop(ActorPath.of("/a")));
      await(node.spawn("/a", Idle::new, new ActorOptions()));
      held.countDown();
      assertThat(await(outcome.future())).isEqualTo("STOPPED: actor /a is stopped");
      assertThat(node.parts.actors().status())
          .extracting(ActorStatus::path)
          .containsExactly(ActorPath.of("/a"));
    }
  }

  @Test
  void norDoesADurableActors() throws Exception {
    try (TestNode node = new TestNode().open()) {
      await(await(node.spawn("/s/a", DurablyLate::new, BLOCKING)).tell(new Work()));
      await(begun.future());
      await(node.stop(ActorPath.of("/s/a")));
      held.countDown();
      assertThat(await(outcome.future())).isEqualTo("STOPPED: actor /s/a is stopped");
      assertThat(node.parts.actors().status()).isEmpty();
    }
  }

  /** Its thread may be held for ever. */
  @Test
  void verticlesOfALifeThatIsLeftBehindEnd() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Promise<Void> ended = Promise.promise();
      await(await(node.spawn("/a", () -> new Deployer(ended), BLOCKING)).tell(new Work()));
      await(begun.future());
      await(node.stop(ActorPath.of("/a")));
      await(ended.future());
      assertThat(outcome.future().isComplete()).as("its handler goes on").isFalse();
      held.countDown();
      assertThat(await(outcome.future())).isEqualTo("taken");
    }
  }

  /** Wants a child of a parent whose life ends when the child is made, and is not here yet. */
  private static <M> Throwable refused(
      TestNode node, String parent, Supplier<? extends Actor<M>> child) throws Exception {
    ActorPath path = ActorPath.of(parent);
    AtomicBoolean over = new AtomicBoolean();
    Supplier<Actor<M>> ending =
        () -> {
          over.set(true);
          try {
            await(node.parts.actors().stopChildren(path));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          return child.get();
        };
    return failure(
        node.parts.actors().spawnChild(path, over::get, "kid", ending, new ActorOptions()));
  }

  @Test
  void aChildThatTheStopOfItsParentDidNotFindIsStoppedByItself() throws Exception {
    try (TestNode node = new TestNode().open()) {
      assertThat(refused(node, "/a", Idle::new)).hasMessage("actor /a is stopped");
      assertThat(refused(node, "/s/a", Counter::new)).hasMessage("actor /s/a is stopped");
      assertThat(node.parts.actors().status()).isEmpty();
    }
  }
}
