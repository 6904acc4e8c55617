package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.EscalatedException;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.FailureZone.EndsWith;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failure zones on real verticles. */
class FailureZonesTest {
  sealed interface Cue {
    record Say(int number) implements Cue {}

    record Fail(String why) implements Cue {}

    record Count() implements Cue {}

    record Leave() implements Cue {}

    record Hang() implements Cue {}
  }

  private static final Backoff SOON =
      Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL);
  private static final SupervisionOptions AGAIN = new SupervisionOptions().backoff(SOON);

  @RegisterExtension final Stage stage = new Stage();
  private final CountDownLatch hangs = new CountDownLatch(1);
  private final AtomicInteger failedStarts = new AtomicInteger();

  private final class Player extends Actor<Cue> {
    private int said;

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(Cue.Say.class, say -> said(say.number()))
          .message(Cue.Fail.class, fail -> fails(fail.why()))
          .message(Cue.Count.class, count -> reply(said))
          .message(Cue.Leave.class, leave -> stopSelf())
          .message(Cue.Hang.class, hang -> hang());
    }

    private void said(int number) {
      said++;
      stage.sees(path() + " says " + number);
    }

    private void hang() {
      stage.sees(path() + " hangs");
      try {
        hangs.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected Future<?> started() {
      if (failedStarts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return Future.failedFuture("not yet");
      }
      stage.sees("up " + path());
      return Future.succeededFuture();
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("down " + path());
      return Future.succeededFuture();
    }
  }

  /** Actor with a worker whose failures escalate to it. */
  private final class Hiring extends Actor<Cue> {
    @Override
    protected void protocol(Protocol<Cue> on) {
      on.others(cue -> stage.sees(path() + " does not play"));
    }

    @Override
    protected Future<?> started() {
      stage.sees("up " + path());
      Rules escalate = Rules.RESTART.on(IllegalStateException.class, Directive.ESCALATE);
      return spawnChild(
          "worker", Player::new, new ActorOptions(QUICK).supervision(AGAIN.rules(escalate)));
    }

    @Override
    protected Future<?> stopped() {
      stage.sees("down " + path());
      return Future.succeededFuture();
    }
  }

  private static void fails(String why) {
    throw switch (why) {
      case "argument" -> new IllegalArgumentException(why);
      case "unsupported" -> new UnsupportedOperationException(why);
      default -> new IllegalStateException(why);
    };
  }

  @AfterEach
  void stop() throws Exception {
    hangs.countDown();
  }

  private static FailureZone with(Strategy strategy) {
    return new FailureZone().strategy(strategy);
  }

  private ActorRef<Cue> spawn(String path, SupervisionOptions options) throws Exception {
    ActorRef<Cue> ref =
        await(
            stage.callboard.spawn(path, Player::new, new ActorOptions(QUICK).supervision(options)));
    stage.expect("up " + path);
    return ref;
  }

  private ActorRef<Cue> spawn(String path) throws Exception {
    return spawn(path, AGAIN);
  }

  private void zone(String path, FailureZone zone) throws Exception {
    await(stage.callboard.supervise(path, zone, AGAIN));
  }

  private static void crash(ActorRef<Cue> actor) throws Exception {
    await(actor.tell(new Cue.Fail("crash")));
  }

  private State state(String path) {
    return await(stage.callboard.admin().running()).stream()
        .filter(actor -> actor.path().toString().equals(path))
        .map(ActorStatus::state)
        .findFirst()
        .orElseThrow();
  }

  private FailureZoneStatus zone(String path) {
    return stage.callboard.admin().failureZones().stream()
        .filter(zone -> zone.path().toString().equals(path))
        .findFirst()
        .orElseThrow();
  }

  private List<String> parked() throws Exception {
    return await(stage.callboard.admin().parked(10)).stream()
        .map(parked -> new String(parked.bytes(), StandardCharsets.UTF_8))
        .toList();
  }

  private void until(BooleanSupplier isSo) {
    Eventually.assertThat(
        () ->
            assertThat(isSo.getAsBoolean())
                .as(
                    "running %s, zones %s",
                    await(stage.callboard.admin().running()),
                    stage.callboard.admin().failureZones())
                .isTrue());
  }

  @Test
  void restForOneRestartsWhatWasStartedAfterTheOneThatFailedAndItsMailWaits() throws Exception {
    zone("/shop", with(Strategy.REST_FOR_ONE));
    spawn("/shop/a");
    ActorRef<Cue> second = spawn("/shop/b");
    ActorRef<Cue> third = spawn("/shop/c");
    await(second.tell(new Cue.Say(1)));
    stage.expect("/shop/b says 1");
    await(second.tell(new Cue.Fail("crash")));
    await(second.tell(new Cue.Say(2)));
    stage.expect("down /shop/b", "down /shop/c");
    await(third.tell(new Cue.Say(3)));
    stage.expect("up /shop/b");
    Set<String> rest = new HashSet<>(List.of(stage.next(), stage.next(), stage.next()));
    assertThat(rest).containsExactlyInAnyOrder("/shop/b says 2", "up /shop/c", "/shop/c says 3");
    assertThat(await(stage.callboard.admin().running()))
        .filteredOn(actor -> actor.path().toString().equals("/shop/a"))
        .allSatisfy(a -> assertThat(a.restarts()).isZero());
  }

  @Test
  void allForOneRestartsAllInReverseAndInOrder() throws Exception {
    zone("/shop", with(Strategy.ALL_FOR_ONE));
    spawn("/shop/a");
    ActorRef<Cue> second = spawn("/shop/b");
    spawn("/shop/c");
    crash(second);
    stage.expect("down /shop/b", "down /shop/c", "down /shop/a");
    stage.expect("up /shop/a", "up /shop/b", "up /shop/c");
    assertThat(zone("/shop").state()).isEqualTo(FailureZoneStatus.State.RUNNING);
    assertThat(zone("/shop").children()).hasSize(3);
  }

  @Test
  void aZoneThatIsOverItsLimitFailsInTheOneAboveWhichStartsItAgain() throws Exception {
    zone("/shop", with(Strategy.ONE_FOR_ONE));
    zone("/shop/till", new FailureZone().intensity(0, Duration.ofMinutes(1)));
    ActorRef<Cue> drawer = spawn("/shop/till/drawer");
    spawn("/shop/till/printer");
    spawn("/shop/door");
    crash(drawer);
    stage.expect("down /shop/till/drawer", "down /shop/till/printer");
    stage.expect("up /shop/till/drawer", "up /shop/till/printer");
    until(() -> zone("/shop/till").state() == FailureZoneStatus.State.RUNNING);
    assertThat(zone("/shop/till").restarts()).isEqualTo(1);
    assertThat(zone("/shop/till").lastFailure()).contains("crash");
    assertThat(zone("/shop").restarts()).isZero();
    assertThat(state("/shop/door")).isEqualTo(State.RUNNING);
  }

  @Test
  void aFailureThatTheOutermostZoneEscalatesClosesTheNode() throws Exception {
    zone("/shop", with(Strategy.ONE_FOR_ONE).intensity(1, Duration.ofMinutes(1)));
    ActorRef<Cue> actor = spawn("/shop/a");
    spawn("/shop/b");
    crash(actor);
    stage.expect("down /shop/a", "up /shop/a");
    crash(actor);
    stage.expect("down /shop/a", "down /shop/b");
    assertThatThrownBy(() -> await(stage.callboard.closed()))
        .isInstanceOf(EscalatedException.class)
        .hasMessageContaining("failure zone /shop")
        .rootCause()
        .hasMessage("crash");
    assertCode(() -> await(stage.callboard.spawn("/late", Player::new, QUICK)), Code.STOPPED);
  }

  @Test
  void aRuleOfAnActorOutsideOfZonesMayEscalateToo() throws Exception {
    ActorRef<Cue> actor =
        spawn("/a", AGAIN.rules(Rules.RESTART.on(RuntimeException.class, Directive.ESCALATE)));
    crash(actor);
    assertThatThrownBy(() -> await(stage.callboard.closed()))
        .isInstanceOf(EscalatedException.class)
        .hasMessageContaining("actor /a");
  }

  @Test
  void anActorTakesWhatItsChildEscalates() throws Exception {
    var unused = await(stage.callboard.spawn("/hiring", Hiring::new, QUICK));
    stage.expect("up /hiring", "up /hiring/worker");
    ActorRef<Cue> worker = stage.callboard.ref("/hiring/worker", Cue.class);
    crash(worker);
    stage.expect("down /hiring/worker", "down /hiring", "up /hiring", "up /hiring/worker");
    assertThat(failures("/hiring")).isEqualTo(1);
  }

  private long failures(String path) throws Exception {
    return await(stage.callboard.admin().running()).stream()
        .filter(actor -> actor.path().toString().equals(path))
        .mapToLong(ActorStatus::failures)
        .sum();
  }

  @Test
  void aResumedActorKeepsItsObjectAndOnlyTheMessageIsGivenUp() throws Exception {
    zone(
        "/shop",
        new FailureZone()
            .rules(Rules.RESTART.on(IllegalArgumentException.class, Directive.RESUME)));
    ActorRef<Cue> actor = spawn("/shop/a");
    await(actor.tell(new Cue.Say(1)));
    assertCode(
        () -> await(actor.ask(new Cue.Fail("argument"), Integer.class)), Code.HANDLER_FAILED);
    stage.expect("/shop/a says 1");
    assertThat(await(actor.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    assertThat(failures("/shop/a")).isEqualTo(1);
  }

  @Test
  void aRuleStopsAnActorForGoodAndItsPathIsFree() throws Exception {
    zone(
        "/shop",
        new FailureZone().rules(Rules.RESTART.on(IllegalArgumentException.class, Directive.STOP)));
    ActorRef<Cue> actor = spawn("/shop/a");
    await(actor.tell(new Cue.Fail("argument")));
    stage.expect("down /shop/a");
    until(() -> zone("/shop").children().isEmpty());
    until(() -> stage.callboard.admin().running().result().isEmpty()); // a moment later
    crash(spawn("/shop/a"));
    stage.expect("down /shop/a", "up /shop/a");
  }

  @Test
  void anActorThatIsParkedKeepsItsMailUntilItIsResumed() throws Exception {
    zone(
        "/shop",
        new FailureZone().rules(Rules.RESTART.on(IllegalArgumentException.class, Directive.PARK)));
    ActorRef<Cue> actor = spawn("/shop/a");
    await(actor.tell(new Cue.Fail("argument")));
    await(actor.tell(new Cue.Say(1)));
    stage.expect("down /shop/a");
    until(() -> state("/shop/a") == State.FAILED);
    await(stage.callboard.admin().resume("/shop/a"));
    stage.expect("up /shop/a", "/shop/a says 1");
  }

  @Test
  void anOperatorStopsResumesAndRestartsActorsAndZones() throws Exception {
    zone("/shop", with(Strategy.REST_FOR_ONE));
    spawn("/shop/a");
    ActorRef<Cue> second = spawn("/shop/b");
    ActorRef<Cue> alone = spawn("/alone");
    await(stage.callboard.admin().suspend("/shop/a"));
    stage.expect("down /shop/b", "down /shop/a");
    until(() -> state("/shop/a") == State.STOPPED);
    await(second.tell(new Cue.Say(1)));
    await(stage.callboard.admin().resume("/shop/a"));
    stage.expect("up /shop/a", "up /shop/b", "/shop/b says 1");
    await(stage.callboard.admin().restart("/shop"));
    stage.expect("down /shop/b", "down /shop/a", "up /shop/a", "up /shop/b");
    await(stage.callboard.admin().suspend("/alone"));
    stage.expect("down /alone");
    await(alone.tell(new Cue.Say(2)));
    until(() -> state("/alone") == State.STOPPED);
    await(stage.callboard.admin().restart("/alone"));
    stage.expect("up /alone", "/alone says 2");
    await(stage.callboard.admin().suspend("/shop"));
    stage.expect("down /shop/b", "down /shop/a");
    until(() -> zone("/shop").state() == FailureZoneStatus.State.STOPPED);
    await(stage.callboard.admin().resume("/shop"));
    stage.expect("up /shop/a", "up /shop/b");
    assertCode(() -> await(stage.callboard.admin().suspend("/nobody")), Code.NO_SUCH_ACTOR);
  }

  @Test
  void aZoneOverItsLimitMayRestAsAWhole() throws Exception {
    zone("/shop", new FailureZone().intensity(0, Duration.ofMinutes(1)).whenOver(LimitAction.PARK));
    spawn("/shop/a");
    ActorRef<Cue> second = spawn("/shop/b");
    crash(second);
    stage.expect("down /shop/b", "down /shop/a");
    until(() -> zone("/shop").state() == FailureZoneStatus.State.FAILED);
    await(second.tell(new Cue.Say(1)));
    await(stage.callboard.admin().resume("/shop"));
    stage.expect("up /shop/a", "up /shop/b", "/shop/b says 1");
  }

  @Test
  void aZoneStopsInTheReverseOrderAndItsPathsAreFree() throws Exception {
    zone("/shop", with(Strategy.ONE_FOR_ONE));
    spawn("/shop/a");
    zone("/shop/till", with(Strategy.ONE_FOR_ONE));
    spawn("/shop/till/b");
    spawn("/shop/c");
    await(stage.callboard.stop("/shop"));
    stage.expect("down /shop/c", "down /shop/till/b", "down /shop/a");
    assertThat(stage.callboard.admin().failureZones()).isEmpty();
    zone("/shop", with(Strategy.ONE_FOR_ONE));
    spawn("/shop/a");
    await(stage.callboard.close());
    stage.expect("down /shop/a");
    await(stage.callboard.closed());
  }

  @Test
  void aStartThatFailsSomeTimesHoldsUpWhatNeedsIt() throws Exception {
    zone("/shop", with(Strategy.REST_FOR_ONE));
    failedStarts.set(3);
    Future<ActorRef<Cue>> first = stage.callboard.spawn("/shop/a", Player::new, QUICK);
    assertCode(() -> await(first), Code.START_FAILED);
    spawnedAfter("/shop/a", "/shop/b");
  }

  private void spawnedAfter(String first, String second) throws Exception {
    Future<ActorRef<Cue>> spawned = stage.callboard.spawn(second, Player::new, QUICK);
    stage.expect("up " + first, "up " + second);
    var unused = await(spawned);
  }

  @Test
  void aChildThatStopsItselfIsDoneUnlessItIsPermanent() throws Exception {
    zone("/shop", new FailureZone().endsWith(EndsWith.ALL));
    ActorRef<Cue> permanent = spawn("/shop/a", AGAIN.kind(ChildKind.PERMANENT));
    ActorRef<Cue> first = spawn("/shop/b", AGAIN.asSignificant());
    ActorRef<Cue> second = spawn("/shop/c", AGAIN.asSignificant());
    await(permanent.tell(new Cue.Leave()));
    stage.expect("down /shop/a", "up /shop/a");
    await(first.tell(new Cue.Leave()));
    stage.expect("down /shop/b");
    until(() -> zone("/shop").children().size() == 2);
    await(second.tell(new Cue.Leave()));
    stage.expect("down /shop/c", "down /shop/a");
    until(() -> stage.callboard.admin().failureZones().isEmpty());
    until(() -> await(stage.callboard.admin().running()).isEmpty());
  }

  @Test
  void aZoneThatIsUndeployedBehindOurBackComesBack() throws Exception {
    zone("/shop", with(Strategy.ONE_FOR_ONE));
    ActorRef<Cue> actor = spawn("/shop/a");
    Set<String> before = stage.vertx.deploymentIDs();
    zone("/other", with(Strategy.ONE_FOR_ONE));
    spawn("/other/b");
    Set<String> added = new HashSet<>(stage.vertx.deploymentIDs());
    added.removeAll(before);
    assertThat(added).as("one verticle for the zone").hasSize(1);
    await(stage.vertx.undeploy(added.iterator().next()));
    stage.expect("down /other/b", "up /other/b");
    assertThat(zone("/other").lastFailure()).contains("undeployed by the application");
    await(actor.tell(new Cue.Say(1)));
    stage.expect("/shop/a says 1");
  }

  @Test
  void aStuckActorDoesNotHoldUpTheStopOfItsZoneForEver() throws Exception {
    zone("/shop", with(Strategy.ONE_FOR_ONE).stopTimeout(Duration.ofMillis(50)));
    spawn("/shop/a");
    ActorRef<Cue> stuck =
        await(
            stage.callboard.spawn(
                "/shop/b",
                Player::new,
                new ActorOptions(QUICK).zone("blocking").stopTimeout(Duration.ofMillis(300))));
    stage.expect("up /shop/b");
    await(stuck.tell(new Cue.Hang()));
    stage.expect("/shop/b hangs");
    Future<Void> stopped = stage.callboard.stop("/shop");
    stage.expect("down /shop/a"); // forced, before b is given up
    await(stopped);
    hangs.countDown();
  }

  @Test
  void anActorOutsideOfZonesRestsOverItsBudgetAndTheNodeGoesOn() throws Exception {
    ActorRef<Cue> actor = spawn("/a", AGAIN.intensity(1, Duration.ofMinutes(1)));
    crash(actor);
    stage.expect("down /a", "up /a");
    crash(actor);
    stage.expect("down /a");
    until(() -> state("/a") == State.FAILED);
    await(stage.callboard.admin().resume("/a"));
    stage.expect("up /a");
    assertThat(stage.callboard.admin().failureZones()).isEmpty();
  }

  sealed interface Order {
    record Add(int amount) implements Order {}

    record Total() implements Order {}

    record Break(int id) implements Order {}
  }

  record Sum(int total) {}

  private final class Ledger extends DurableStateActor<Order, Sum> {
    private final AtomicInteger breaks;

    Ledger(AtomicInteger breaks) {
      this.breaks = breaks;
    }

    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.Add.class, add -> update(new Sum(state().total() + add.amount())))
          .message(Order.Total.class, total -> reply(state().total()))
          .message(
              Order.Break.class,
              once -> {
                if (breaks.getAndDecrement() > 0) {
                  throw new IllegalStateException("breaks");
                }
              });
    }
  }

  @Test
  void durableActorsOfAZoneLoseNothingWhenTheyAreRestartedTogether() throws Exception {
    zone("/bank", with(Strategy.ALL_FOR_ONE).intensity(100, Duration.ofMinutes(1)));
    AtomicInteger breaks = new AtomicInteger();
    ActorRef<Order> first =
        await(stage.callboard.spawn("/bank/a", () -> new Ledger(breaks), QUICK));
    ActorRef<Order> second =
        await(stage.callboard.spawn("/bank/b", () -> new Ledger(breaks), QUICK));
    int total = 0;
    for (int i = 1; i <= 200; i++) {
      total += i;
      await(first.tell(new Order.Add(i)));
      await(second.tell(new Order.Add(i)));
      if (i % 20 == 0) {
        breaks.set(2);
        await((i % 40 == 0 ? first : second).tell(new Order.Break(i)));
        until(() -> breaks.get() < 0); // it failed twice, and was handled then
      }
    }
    assertThat(await(first.ask(new Order.Total(), Integer.class))).isEqualTo(total);
    assertThat(await(second.ask(new Order.Total(), Integer.class))).isEqualTo(total);
    assertThat(failures("/bank/a") + failures("/bank/b")).isGreaterThanOrEqualTo(10);
    assertThat(zone("/bank").restarts()).isZero();
  }
}
