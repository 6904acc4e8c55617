package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Actors that watch others and start others. */
class WatchTest {
  sealed interface Order {
    record Watch(String path) implements Order {}

    record Unwatch(String path) implements Order {}

    record Gone(String path, String cause) implements Order {}

    record Start(String child) implements Order {}

    record Spawn(String path) implements Order {}

    record Fail() implements Order {}

    record Stop() implements Order {}

    record StopAndFail() implements Order {}

    record Hold() implements Order {}
  }

  @RegisterExtension final Stage stage = new Stage();
  private final Promise<Void> gate = Promise.promise();

  private final class Watcher extends Actor<Order> {
    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Watch.class, this::watches)
          .message(Order.Unwatch.class, order -> unwatch(actor(order.path())))
          .message(Order.Gone.class, gone -> stage.sees(gone.path() + " " + gone.cause()))
          .async(Order.Start.class, this::starts)
          .async(Order.Spawn.class, order -> callboard().spawn(order.path(), Watcher::new, QUICK))
          .message(
              Order.Fail.class,
              fail -> {
                throw new IllegalStateException("as told");
              })
          .message(Order.Stop.class, stop -> stopSelf())
          .message(
              Order.StopAndFail.class,
              stop -> {
                stopSelf();
                throw new IllegalStateException("as told");
              })
          .async(
              Order.Hold.class,
              hold -> {
                stage.sees("holds");
                return gate.future();
              });
    }

    private ActorRef<Order> actor(String path) {
      return callboard().ref(path, Order.class);
    }

    private void watches(Order.Watch order) {
      watch(actor(order.path()), end -> new Order.Gone(order.path(), end.reason()));
    }

    private Future<?> starts(Order.Start order) {
      return spawnChild(order.child(), Watcher::new, QUICK);
    }

    @Override
    protected Future<?> started() {
      stage.sees("up " + path());
      return Future.succeededFuture();
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("down " + path());
      return Future.succeededFuture();
    }
  }

  @AfterEach
  void stop() throws Exception {
    gate.tryComplete();
  }

  private ActorRef<Order> spawn(String path, ActorOptions options) throws Exception {
    ActorRef<Order> spawned = await(stage.callboard.spawn(path, Watcher::new, options));
    stage.expect("up " + path);
    return spawned;
  }

  private ActorRef<Order> spawn(String path) throws Exception {
    return spawn(path, QUICK);
  }

  @Test
  void anEndIsToldOnceWhetherStoppedGivenUpOrNeverThere() throws Exception {
    ActorRef<Order> watcher = spawn("/watcher");
    spawn("/stopped");
    ActorRef<Order> failing =
        spawn(
            "/failing",
            new ActorOptions(QUICK)
                .supervision(QUICK.supervision().intensity(1, Duration.ofMinutes(1))));
    for (String path : List.of("/stopped", "/failing", "/nobody")) {
      await(watcher.tell(new Order.Watch(path)));
    }
    stage.expect("/nobody no actor /nobody runs in this cell");
    await(failing.tell(new Order.Fail()));
    stage.expect("down /failing", "up /failing");
    await(failing.tell(new Order.Fail()));
    stage.expect("down /failing", "/failing more than 1 restarts within PT1M");
    await(stage.callboard.stop("/stopped"));
    stage.expect("down /stopped", "/stopped it was stopped");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void anEndIsNotToldToWhoWatchesNoLonger() throws Exception {
    ActorRef<Order> watcher = spawn("/watcher");
    spawn("/a");
    spawn("/b");
    await(watcher.tell(new Order.Watch("/a")));
    await(watcher.tell(new Order.Watch("/b")));
    await(watcher.tell(new Order.Hold()));
    stage.expect("holds");
    await(watcher.tell(new Order.Unwatch("/a")));
    await(stage.callboard.stop("/a"));
    await(stage.callboard.stop("/b"));
    gate.complete();
    stage.expect("down /a", "down /b", "/b it was stopped");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void childrenEndWithTheirParentAndWithItsLife() throws Exception {
    ActorRef<Order> parent = spawn("/parent");
    await(parent.tell(new Order.Start("child")));
    stage.expect("up /parent/child");
    ActorRef<Order> child = stage.callboard.ref("/parent/child", Order.class);
    await(child.tell(new Order.Start("grandchild")));
    stage.expect("up /parent/child/grandchild");
    await(child.tell(new Order.Fail()));
    stage.expect("down /parent/child/grandchild", "down /parent/child", "up /parent/child");
    await(parent.tell(new Order.Fail()));
    stage.expect("down /parent/child", "down /parent", "up /parent");
    assertCode(() -> await(child.tell(new Order.Fail())), Code.NO_SUCH_ACTOR);
    await(parent.tell(new Order.Start("child")));
    stage.expect("up /parent/child");
    await(stage.callboard.stop("/parent"));
    stage.expect("down /parent/child", "down /parent");
    assertThat(await(stage.callboard.admin().running())).isEmpty();
  }

  @Test
  void anActorSpawnedElsewhereOutlivesItsSpawnerAndThatOnesRestart() throws Exception {
    ActorRef<Order> spawner = spawn("/spawner");
    await(spawner.tell(new Order.Spawn("/free")));
    stage.expect("up /free");
    await(spawner.tell(new Order.Fail()));
    stage.expect("down /spawner", "up /spawner");
    await(spawner.tell(new Order.Spawn("/later")));
    stage.expect("up /later");
    await(stage.callboard.stop("/spawner"));
    stage.expect("down /spawner");
    ActorRef<Order> free = stage.callboard.ref("/free", Order.class);
    await(free.tell(new Order.Gone("nobody", "just to see")));
    stage.expect("nobody just to see");
    await(stage.callboard.stop("/free"));
    stage.expect("down /free");
  }

  @Test
  void anActorThatStopsItselfAndFailsIsStopped() throws Exception {
    ActorRef<Order> parent = spawn("/parent");
    await(parent.tell(new Order.Start("child")));
    stage.expect("up /parent/child");
    ActorRef<Order> watcher = spawn("/watcher");
    await(watcher.tell(new Order.Watch("/parent")));
    await(watcher.tell(new Order.Hold()));
    stage.expect("holds");
    gate.complete();
    await(parent.tell(new Order.StopAndFail()));
    stage.expect("down /parent/child", "down /parent", "/parent it was stopped");
    assertThat(spawn("/parent").path().toString()).isEqualTo("/parent");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void theEndOfAnActorThatIsGivenUpAlreadyIsToldToo() throws Exception {
    ActorRef<Order> failing =
        spawn(
            "/failing",
            new ActorOptions(QUICK)
                .supervision(QUICK.supervision().intensity(0, Duration.ofMinutes(1))));
    ActorRef<Order> first = spawn("/first");
    await(first.tell(new Order.Watch("/failing")));
    await(first.tell(new Order.Gone("it", "is watched")));
    stage.expect("it is watched");
    await(failing.tell(new Order.Fail()));
    stage.expect("down /failing", "/failing more than 0 restarts within PT1M");
    await(first.tell(new Order.Watch("/failing")));
    stage.expect("/failing more than 0 restarts within PT1M");
  }

  @Test
  void aChildAfterOneThatStoppedItselfEndsWithItsParentToo() throws Exception {
    ActorRef<Order> parent = spawn("/parent");
    await(parent.tell(new Order.Start("a")));
    await(parent.tell(new Order.Gone("it", "is up")));
    stage.expect("up /parent/a", "it is up");
    await(stage.callboard.ref("/parent/a", Order.class).tell(new Order.Stop()));
    stage.expect("down /parent/a");
    await(parent.tell(new Order.Start("b")));
    await(parent.tell(new Order.Gone("b", "is up")));
    stage.expect("up /parent/b", "b is up");
    await(parent.tell(new Order.Fail()));
    stage.expect("down /parent/b", "down /parent", "up /parent");
  }

  /** Fails at the first start only. */
  private static Future<Void> failedOnce(AtomicInteger starts) {
    return starts.incrementAndGet() == 1
        ? Future.failedFuture(new IllegalStateException("once"))
        : Future.succeededFuture();
  }

  private final class Founder extends Actor<Order> {
    private final AtomicInteger starts;

    Founder(AtomicInteger starts) {
      this.starts = starts;
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.others(order -> {});
    }

    @Override
    protected Future<?> started() {
      return spawnChild("child", Watcher::new, QUICK).compose(child -> failedOnce(starts));
    }
  }

  @Test
  void aStartThatFailsEndsTheChildrenThatItStarted() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    Future<ActorRef<Order>> spawned =
        stage.callboard.spawn("/founder", () -> new Founder(starts), QUICK);
    stage.expect("up /founder/child", "down /founder/child", "up /founder/child");
    assertCode(() -> await(spawned), Code.START_FAILED);
    Eventually.assertThat(() -> assertThat(starts).hasValue(2)); // a moment after its child
    await(stage.callboard.stop("/founder"));
    stage.expect("down /founder/child");
  }

  record Founded(int times) {}

  private final class DurableFounder extends DurableStateActor<Order, Founded> {
    private final AtomicInteger starts;

    DurableFounder(AtomicInteger starts) {
      this.starts = starts;
    }

    @Override
    protected Founded initial() {
      return new Founded(0);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.others(order -> {});
    }

    @Override
    protected Future<?> started() {
      return spawnChild("child", Watcher::new, QUICK).compose(child -> failedOnce(starts));
    }
  }

  @Test
  void soDoesThatOfADurableActor() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    Future<ActorRef<Order>> spawned =
        stage.callboard.spawn("/durable/founder", () -> new DurableFounder(starts), QUICK);
    stage.expect("up /durable/founder/child", "down /durable/founder/child");
    stage.expect("up /durable/founder/child");
    assertCode(() -> await(spawned), Code.START_FAILED);
    await(stage.callboard.stop("/durable/founder"));
    stage.expect("down /durable/founder/child");
  }

  private final class Brief extends Actor<Order> {
    @Override
    protected void protocol(Protocol<Order> on) {
      on.others(order -> stage.sees("handled " + order));
    }

    @Override
    protected Future<?> started() {
      stopSelf();
      stage.sees("up");
      return Future.succeededFuture();
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("down");
      return Future.succeededFuture();
    }
  }

  @Test
  void anActorThatStopsItselfWhileItStartsHasStartedAndEnds() throws Exception {
    for (boolean onBus : new boolean[] {true, false, true}) {
      ActorOptions options = new ActorOptions(QUICK).onBus(onBus);
      ActorRef<Order> brief = await(stage.callboard.spawn("/brief", Brief::new, options));
      stage.expect("up", "down");
      Eventually.assertThat(() -> assertThat(running()).isEmpty());
      assertCode(() -> await(brief.tell(new Order.Fail())), Code.NO_SUCH_ACTOR);
    }
    assertThat(stage.rest()).isEmpty();
  }

  private List<ActorStatus> running() {
    return stage.callboard.admin().running().result();
  }

  @Test
  void aRunningActorIsNotStartedAgain() throws Exception {
    ActorRef<Order> running = spawn("/running");
    await(stage.callboard.admin().resume("/running"));
    await(running.tell(new Order.Gone("still", "one")));
    stage.expect("still one");
    await(stage.callboard.stop("/running"));
    stage.expect("down /running");
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void anActorStopsItself() throws Exception {
    ActorRef<Order> parent = spawn("/parent");
    await(parent.tell(new Order.Start("child")));
    await(parent.tell(new Order.Gone("it", "is up")));
    stage.expect("up /parent/child", "it is up");
    await(parent.tell(new Order.Watch("/parent/child")));
    await(parent.tell(new Order.Gone("it", "is watched")));
    stage.expect("it is watched");
    await(stage.callboard.ref("/parent/child", Order.class).tell(new Order.Stop()));
    stage.expect("down /parent/child", "/parent/child it was stopped");
    await(parent.tell(new Order.Start("child")));
    stage.expect("up /parent/child");
    assertThat(await(stage.callboard.admin().running()))
        .extracting(status -> status.path().toString())
        .containsExactly("/parent", "/parent/child");
  }
}
