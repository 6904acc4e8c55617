package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.ZoneActors.in;
import static io.callboard.testkit.ZoneActors.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.testkit.ZoneActors.Answering;
import io.callboard.testkit.ZoneActors.Go;
import io.callboard.testkit.ZoneActors.Went;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Threads of zones at the creation and the end of their node: none is left. */
class ZoneThreadsTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Callboard callboard;

  private void open(ZoneOptions zone) {
    callboard = nodes.open("test", options -> options.zone("busy", zone));
  }

  @Test
  void aNodeClosesThoughAnExecutorWasShutDownBefore() throws Exception {
    ExecutorService given = Executors.newFixedThreadPool(2);
    open(ZoneOptions.of(given));
    ActorRef<Go> actor = await(callboard.spawn("/a", Answering::new, in("busy")));
    assertThat(await(actor.ask(new Go(1), Went.class))).isEqualTo(new Went(1));
    given.shutdown();
    assertThat(await(actor.ask(new Go(2), Went.class))).isEqualTo(new Went(2));
  }

  @Test
  void aNodeClosesThoughAnExecutorLostWhatItHadTaken() throws Exception {
    ExecutorService given = Executors.newFixedThreadPool(1);
    open(ZoneOptions.of(given));
    ActorRef<Go> actor = await(callboard.spawn("/a", Answering::new, in("busy")));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    given.execute(
        () -> {
          begun.countDown();
          boolean opened = false;
          while (!opened) {
            try {
              open.await();
              opened = true;
            } catch (InterruptedException e) { // by shutdownNow
              opened = false;
            }
          }
        });
    opened(begun);
    Future<Went> asked = actor.ask(new Go(1), Went.class);
    assertThat(given.shutdownNow()).hasSize(1);
    open.countDown();
    assertThat(await(asked)).isEqualTo(new Went(1));
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("callboard-test-"))
        .toList();
  }

  @Test
  void aSecondOfTheSameNameIsRefusedAndTheFirstGoesOn() throws Exception {
    open(ZoneOptions.fixed(2));
    List<String> before = threads();
    Vertx vertx = callboard.vertx();
    CallboardOptions same = new CallboardOptions().name("test").zone("busy", ZoneOptions.fixed(2));
    assertThatThrownBy(() -> await(Callboard.create(vertx, same)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this Vert.x instance runs a Callboard already");
    assertThat(threads()).hasSizeLessThanOrEqualTo(before.size());
    assertThat(Callboard.of(vertx)).isSameAs(callboard);
    ActorRef<Go> actor = await(callboard.spawn("/a", Answering::new, in("busy")));
    assertThat(await(actor.ask(new Go(3), Went.class))).isEqualTo(new Went(3));
    await(callboard.close());
    allEnd();
  }

  @Test
  void aNodeThatCannotBeMadeFailsTheFutureAndLeavesNoThread() throws Exception {
    open(ZoneOptions.fixed(1));
    Vertx vertx = callboard.vertx();
    await(callboard.close());
    CallboardOptions broken =
        new CallboardOptions()
            .name("test")
            .store(
                () -> {
                  throw new IllegalStateException("no such store, says the test");
                });
    assertThatThrownBy(() -> await(Callboard.create(vertx, broken)))
        .hasMessage("no such store, says the test");
    allEnd();
    CallboardOptions sound = new CallboardOptions().name("test").zone("busy", ZoneOptions.fixed(1));
    await(await(Callboard.create(vertx, sound)).close());
  }

  private static void allEnd() {
    Eventually.assertThat(() -> assertThat(threads()).as("still there").isEmpty());
  }
}
