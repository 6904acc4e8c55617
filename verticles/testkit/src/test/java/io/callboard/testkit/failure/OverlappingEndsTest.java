package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.failing;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Deque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of ends of failure zones that come while another one is under way. */
class OverlappingEndsTest {
  private static final SupervisionOptions AGAIN =
      new SupervisionOptions()
          .backoff(Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(5)));

  record Leave() {}

  private final Promise<Void> mayStop = Promise.promise();
  @RegisterExtension final Stage stage = new Stage();

  private final class Slow extends Actor<Leave> {
    @Override
    protected void protocol(Protocol<Leave> on) {
      on.message(Leave.class, leave -> stopSelf());
    }

    @Override
    protected Future<?> started() {
      stage.sees("up " + path());
      return Future.succeededFuture();
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("stops " + path());
      return mayStop.future();
    }
  }

  @AfterEach
  void stop() throws Exception {
    mayStop.tryComplete();
  }

  /** Returns the deployment of a zone. */
  private String zone(String path) throws Exception {
    Set<String> before = Set.copyOf(stage.vertx.deploymentIDs());
    await(stage.callboard.supervise(path, new FailureZone(), AGAIN));
    Eventually.assertThat(() -> assertThat(added(before)).as("is deployed").hasSize(1));
    return added(before).iterator().next();
  }

  private Set<String> added(Set<String> before) {
    Set<String> added = new HashSet<>(stage.vertx.deploymentIDs());
    added.removeAll(before);
    return added;
  }

  @Test
  void zonesWithinEachOtherThatAreUndeployedAtTheSameTimeComeBack() throws Exception {
    String outer = zone("/shop");
    String inner = zone("/shop/till");
    var unused = await(stage.callboard.spawn("/shop/till/a", Slow::new, QUICK));
    stage.expect("up /shop/till/a");
    Future<Void> first = stage.vertx.undeploy(inner);
    stage.expect("stops /shop/till/a");
    Future<Void> second = stage.vertx.undeploy(outer);
    mayStop.complete();
    await(first.otherwiseEmpty());
    await(second.otherwiseEmpty()); // Vert.x may refuse one of them
    stage.expect("up /shop/till/a");
    Eventually.assertThat(
        () -> {
          assertThat(stage.vertx.deploymentIDs()).doesNotContain(outer, inner).hasSize(3);
          assertThat(stage.callboard.admin().failureZones())
              .allMatch(zone -> zone.state() == State.RUNNING);
        });
  }

  @Test
  void anActorThatStopsItselfBeforeItsRestartIsGoneAndItsPathFree() throws Exception {
    var unused = zone("/shop");
    var actor = await(stage.callboard.spawn("/shop/a", Slow::new, QUICK));
    stage.expect("up /shop/a");
    await(actor.tell(new Leave()));
    stage.expect("stops /shop/a");
    await(stage.callboard.admin().restart("/shop/a"));
    mayStop.complete();
    Eventually.assertThat(
        () -> {
          assertThat(stage.callboard.admin().failureZones().get(0).children()).isEmpty();
          assertThat(stage.callboard.admin().running().await()).isEmpty(); // a moment later
        });
    var again = await(stage.callboard.spawn("/shop/a", Slow::new, QUICK));
    stage.expect("up /shop/a");
    assertThat(again).isEqualTo(actor);
  }

  @Test
  void aNodeClosesThoughAZoneThatEndsIsUndeployedBesides() throws Exception {
    String shop = zone("/shop");
    var unused = await(stage.callboard.spawn("/shop/a", Slow::new, QUICK));
    stage.expect("up /shop/a");
    Future<Void> closed = stage.callboard.close();
    stage.expect("stops /shop/a");
    Future<Void> undeployed = stage.vertx.undeploy(shop);
    mayStop.complete();
    await(undeployed.otherwiseEmpty());
    await(closed);
  }

  private final class SlowStart extends Actor<Leave> {
    private final Future<?> mayStart;

    SlowStart(Future<?> mayStart) {
      this.mayStart = mayStart;
    }

    @Override
    protected void protocol(Protocol<Leave> on) {
      on.message(Leave.class, leave -> stopSelf());
    }

    @Override
    protected Future<?> started() {
      stage.sees("starts " + path());
      return mayStart;
    }
  }

  private void expectStates(ActorStatus.State... states) {
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().running().result())
                .extracting(ActorStatus::state)
                .containsExactlyInAnyOrder(states));
  }

  /** An actor behind it is stopped first, so it has time to start before it can be stopped. */
  @Test
  void anActorThatIsSuspendedWhileItStartsRestsUntilItIsResumed() throws Exception {
    Promise<Void> mayStart = Promise.promise();
    Deque<Future<?>> starts = new ConcurrentLinkedDeque<>();
    starts.add(Future.succeededFuture());
    starts.add(mayStart.future());
    starts.add(Future.succeededFuture());
    var unused = zone("/shop");
    var first =
        await(stage.callboard.spawn("/shop/a", () -> new SlowStart(starts.remove()), QUICK));
    stage.expect("starts /shop/a");
    var second = await(stage.callboard.spawn("/shop/b", Slow::new, QUICK));
    stage.expect("up /shop/b");
    await(stage.callboard.admin().restart(first.path().toString()));
    stage.expect("starts /shop/a");
    await(stage.callboard.admin().suspend(second.path().toString()));
    stage.expect("stops /shop/b");
    await(stage.callboard.admin().suspend("/shop/a"));
    expectStates(ActorStatus.State.STOPPED, ActorStatus.State.STOPPED);
    mayStart.complete();
    expectStates(ActorStatus.State.RUNNING, ActorStatus.State.STOPPED);
    mayStop.complete();
    expectStates(ActorStatus.State.STOPPED, ActorStatus.State.STOPPED);
    await(stage.callboard.admin().resume("/shop/a"));
    stage.expect("starts /shop/a");
  }

  record Fail() {}

  private final class Parent extends Actor<Leave> {
    private final ActorOptions kids;

    Parent(ActorOptions kids) {
      this.kids = kids;
    }

    @Override
    protected void protocol(Protocol<Leave> on) {
      on.message(Leave.class, leave -> stopSelf());
    }

    @Override
    protected Future<?> started() {
      return spawnChild("kid", KID, kids);
    }
  }

  private static final Supplier<Actor<Fail>> KID = failing(Fail.class, "fails");

  record Nothing() {}

  /** Actor whose first start waits for ever. */
  private final class DurableParent extends DurableStateActor<Leave, Nothing> {
    private final Queue<Future<?>> starts;
    private final ActorOptions kids;

    DurableParent(Queue<Future<?>> starts, ActorOptions kids) {
      this.starts = starts;
      this.kids = kids;
    }

    @Override
    protected Nothing initial() {
      return new Nothing();
    }

    @Override
    protected void protocol(Protocol<Leave> on) {
      on.message(Leave.class, leave -> stopSelf());
    }

    @Override
    protected Future<?> started() {
      return spawnChild("kid", KID, kids)
          .compose(
              kid -> {
                stage.sees("starts " + path());
                return starts.remove();
              });
    }
  }

  @Test
  void anEscalationOfAChildFailsTheStartOfItsDurableParent() throws Exception {
    ActorOptions kids =
        new ActorOptions()
            .supervision(AGAIN.rules(Rules.RESTART.when(cause -> true, Directive.ESCALATE)));
    Queue<Future<?>> starts = new ConcurrentLinkedDeque<>();
    starts.add(Promise.promise().future());
    starts.add(Future.succeededFuture());
    Future<?> spawned =
        stage.callboard.spawn("/kept", () -> new DurableParent(starts, kids), QUICK);
    stage.expect("starts /kept");
    await(stage.callboard.ref("/kept/kid", Fail.class).tell(new Fail()));
    assertThat(await(spawned.map("").recover(e -> Future.succeededFuture(e.getMessage()))))
        .contains("fails");
    stage.expect("starts /kept");
    assertThat(await(stage.callboard.admin().failures("/kept")))
        .extracting(Failure::kind)
        .containsExactly(Failure.Kind.START);
  }

  @Test
  void anEscalationOfAChildWhoseParentEndsClosesNoNode() throws Exception {
    CountDownLatch decides = new CountDownLatch(1);
    CountDownLatch mayDecide = new CountDownLatch(1);
    Rules rules =
        Rules.RESTART.when(
            cause ->
                Thread.currentThread().getName().contains("supervision")
                    && awaited(decides, mayDecide),
            Directive.ESCALATE);
    ActorOptions kids = new ActorOptions().supervision(AGAIN.rules(rules));
    var parent = await(stage.callboard.spawn("/parent", () -> new Parent(kids), QUICK));
    await(stage.callboard.ref("/parent/kid", Fail.class).tell(new Fail()));
    Waits.opened(decides);
    await(stage.callboard.stop("/parent"));
    mayDecide.countDown();
    await(stage.callboard.supervise("/shop", new FailureZone(), AGAIN)); // after it has decided
    assertThat(stage.callboard.closed().isComplete()).isFalse();
    var again = await(stage.callboard.spawn("/parent", () -> new Parent(kids), QUICK));
    assertThat(again).isEqualTo(parent);
  }

  /** Blocks the supervisor's thread, so that further events wait. */
  private static boolean awaited(CountDownLatch decides, CountDownLatch mayDecide) {
    decides.countDown();
    Waits.opened(mayDecide);
    return true;
  }
}
