package io.callboard.internal.node;

import static io.callboard.internal.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.Waits;
import io.callboard.internal.durable.DurableRunner;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.node.FailureZones.Wish;
import io.callboard.internal.node.TestNode.Add;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.store.CommitOutcome;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of operators' commands for an actor while something of it is under way. */
class OperatorCommandsTest {
  private static final ActorPath COUNTER = ActorPath.of("/counter");
  private static final ActorOptions RESTS_AFTER_A_FAILURE =
      new ActorOptions()
          .attempts(1)
          .supervision(
              new SupervisionOptions().rules(Rules.RESTART.when(cause -> true, Directive.PARK)));

  private TestNode node;

  @BeforeEach
  void open() throws Exception {
    node = new TestNode().open();
  }

  @AfterEach
  void close() throws Exception {
    node.close();
  }

  private Future<Void> ask(ActorPath path, Wish wish) {
    return node.parts.actors().ask(path, wish);
  }

  private boolean isStored(ActorPath path) {
    return await(node.parts.store().actor(path)).orElseThrow().record().stopped();
  }

  private void stored(ActorPath path) {
    Waits.until("the mark is stored", () -> isStored(path));
  }

  /** Stopped by an operator; it is not here any more. */
  private void stopped() throws Exception {
    await(node.spawn("/counter", Counter::new, new ActorOptions()));
    await(ask(COUNTER, Wish.SUSPEND));
    await(node.until(State.STOPPED));
    stored(COUNTER);
    await(node.parts.actors().stop(COUNTER));
  }

  @Test
  void anActorThatIsResumedWhileItsRecordIsReadRuns() throws Exception {
    stopped();
    Promise<Void> goesOn = Promise.promise();
    CountDownLatch reads = new CountDownLatch(1);
    node.store.answer(
        "load",
        1,
        call -> {
          Future<?> read = (Future<?>) call.goOn();
          reads.countDown();
          return read.compose(loaded -> goesOn.future().map(v -> (Loaded) loaded));
        });
    var spawned = node.spawn("/counter", Counter::new, new ActorOptions());
    Waits.opened(reads);
    await(ask(COUNTER, Wish.RESUME));
    goesOn.complete();
    await(spawned);
    await(node.until(State.RUNNING));
    assertThat(isStored(COUNTER)).isFalse();
  }

  @Test
  void aFailedActorThatAnOperatorStopsStaysStopped() throws Exception {
    await(node.spawn("/counter", Counter::new, RESTS_AFTER_A_FAILURE));
    await(node.ref("/counter", Add.class).tell(new Add(0)));
    await(node.until(State.FAILED));
    await(ask(COUNTER, Wish.SUSPEND));
    await(node.until(State.STOPPED));
    stored(COUNTER);
  }

  @Test
  void aHostedActorThatBeginsByItsMailWhileItIsResumedRuns() throws Exception {
    ActorPath path = ActorPath.of("/counters/a");
    await(node.parts.actors().host("/counters", Counter::new, new ActorOptions()));
    for (int i = 0; i < 40; i++) {
      await(node.ref("/counters/a", Add.class).tell(new Add(1)));
      await(node.until(State.RUNNING));
      await(ask(path, Wish.SUSPEND));
      await(node.until(State.STOPPED));
      stored(path);
      await(node.parts.actors().stop(path));
      Future<Void> told = node.ref("/counters/a", Add.class).tell(new Add(1));
      if (i % 2 == 0) {
        await(told);
      }
      await(ask(path, Wish.RESUME));
      await(told);
      await(node.until(State.RUNNING));
    }
  }

  private void zone(String path, FailureZone zone) throws Exception {
    await(node.parts.failureZones().supervise(path, zone, new SupervisionOptions()));
  }

  private void becomes(ActorRunner runner, State state) {
    Waits.until(runner.path() + " is " + state, () -> runner.state() == state);
  }

  /** Gives the partition of the actor to another node for a moment. */
  private void isElsewhereForAMoment(DurableRunner runner) throws Exception {
    Promise<Void> done = Promise.promise();
    node.parts
        .context()
        .onDurableContext(
            () -> {
              Lease lease = node.parts.ownership().lease(runner.path()).orElseThrow();
              runner.disown();
              runner.own(lease);
              done.complete();
            });
    await(done.future());
  }

  private DurableRunner failedKeeper(Strategy strategy) throws Exception {
    zone("/shop", new FailureZone().strategy(strategy).whenOver(LimitAction.PARK));
    Promise<Void> starts = Promise.promise();
    starts.complete();
    await(node.spawn("/shop/a", () -> new SlowStart(starts), new ActorOptions()));
    await(node.spawn("/shop/keeper", Counter::new, RESTS_AFTER_A_FAILURE));
    DurableRunner keeper = node.parts.durables().runner(ActorPath.of("/shop/keeper"));
    await(node.ref("/shop/keeper", Add.class).tell(new Add(0)));
    becomes(keeper, State.FAILED);
    return keeper;
  }

  @Test
  void aFailedActorOfARestingZoneRestsWhenItsPartitionComesBack() throws Exception {
    DurableRunner keeper = failedKeeper(Strategy.ONE_FOR_ONE);
    await(node.parts.failureZones().ask(ActorPath.of("/shop"), Wish.SUSPEND).orElseThrow());
    while (keeper.needs() == null) {
      Thread.onSpinWait();
    }
    isElsewhereForAMoment(keeper);
    becomes(keeper, State.RESTS);
    await(node.parts.failureZones().ask(ActorPath.of("/shop"), Wish.RESUME).orElseThrow());
    becomes(keeper, State.RUNNING);
  }

  @Test
  void aFailedActorOfARestingSiblingRestsWhenItsPartitionComesBack() throws Exception {
    DurableRunner keeper = failedKeeper(Strategy.REST_FOR_ONE);
    ActorPath sibling = ActorPath.of("/shop/a");
    await(ask(sibling, Wish.SUSPEND));
    becomes(node.parts.actors().find(sibling), State.STOPPED);
    isElsewhereForAMoment(keeper);
    becomes(keeper, State.RESTS);
    await(ask(sibling, Wish.RESUME));
    becomes(keeper, State.RUNNING);
  }

  @Test
  void anActorStoppedWhileNobodyOwnedItStaysStoppedWhenItIsOwned() throws Exception {
    await(node.spawn("/counter", Counter::new, new ActorOptions()));
    DurableRunner counter = node.parts.durables().runner(COUNTER);
    Promise<Void> done = Promise.promise();
    node.parts
        .context()
        .onDurableContext(
            () -> {
              Lease lease = node.parts.ownership().lease(COUNTER).orElseThrow();
              counter.disown();
              counter.rest("it was stopped by an operator", true);
              counter.own(lease);
              done.complete();
            });
    await(done.future());
    stored(COUNTER);
    assertThat(counter.state()).isEqualTo(State.STOPPED);
    await(ask(COUNTER, Wish.RESUME));
    becomes(counter, State.RUNNING);
    assertThat(isStored(COUNTER)).isFalse();
  }

  @Test
  void aStopThatTheStoreDeniesIsNotTriedAgain() throws Exception {
    await(node.spawn("/counter", Counter::new, new ActorOptions()));
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(2);
    node.store.answer(
        "commit",
        call -> {
          first.countDown();
          second.countDown();
          return Future.succeededFuture(
              new CommitOutcome.Refused(0, CommitOutcome.Reason.DENIED, "its access control"));
        });
    await(ask(COUNTER, Wish.SUSPEND));
    await(node.until(State.STOPPED));
    Waits.opened(first);
    assertThat(second.await(2, TimeUnit.SECONDS)).as("once more").isFalse();
  }

  @Test
  void whileItsStateIsReadItSaysThatItStartsThoughItWasElsewhere() throws Exception {
    await(node.spawn("/counter", Counter::new, new ActorOptions()));
    DurableRunner counter = node.parts.durables().runner(COUNTER);
    Promise<Void> goesOn = Promise.promise();
    node.store.answer(
        "load", 1, call -> ((Future<?>) call.goOn()).compose(l -> goesOn.future().map(v -> l)));
    isElsewhereForAMoment(counter);
    assertThat(counter.state()).isEqualTo(State.STARTING);
    goesOn.complete();
    becomes(counter, State.RUNNING);
  }

  private static final class SlowStart extends Actor<Add> {
    private final Promise<Void> starts;

    SlowStart(Promise<Void> starts) {
      this.starts = starts;
    }

    @Override
    protected Future<?> started() {
      return starts.future();
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(Add.class, add -> {});
    }
  }

  @Test
  void anActorThatIsStoppedWhileItStartsIsInNoGroup() throws Exception {
    Promise<Void> starts = Promise.promise();
    Promise<Void> began = Promise.promise();
    ActorPath path = ActorPath.of("/slow");
    var spawned =
        node.spawn(
            "/slow",
            () -> {
              began.tryComplete();
              return new SlowStart(starts);
            },
            new ActorOptions().group("slow"));
    await(began.future());
    ActorRunner runner = node.parts.actors().find(path);
    runner.rest("it was stopped by an operator", true);
    starts.complete();
    await(spawned);
    assertThat(members()).isOne();
    await(runner.end());
    assertThat(members()).isZero();
    assertThat(node.state()).isEqualTo(State.STOPPED);
  }

  private int members() {
    return node.parts.groups().group("slow", Add.class).members().size();
  }
}
