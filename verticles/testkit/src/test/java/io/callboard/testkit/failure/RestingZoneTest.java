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
import io.callboard.admin.FailureZoneStatus;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test that no child of a resting failure zone is shown as running, and that operators' requests
 * are kept.
 */
class RestingZoneTest {
  sealed interface Cue {
    record Fail(String why) implements Cue {}

    record Count() implements Cue {}

    record Watch(ActorRef<Cue> other) implements Cue {}

    record Over(String cause) implements Cue {}
  }

  private static final SupervisionOptions AGAIN =
      new SupervisionOptions()
          .backoff(
              Backoff.exponential(
                  Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL));

  private static final SupervisionOptions MUCH_LATER =
      new SupervisionOptions()
          .backoff(
              Backoff.exponential(
                  Duration.ofMinutes(5), Duration.ofMinutes(5), Backoff.Jitter.NONE));

  private static final FailureZone RESTS =
      new FailureZone().intensity(0, Duration.ofMinutes(1)).whenOver(LimitAction.PARK);

  private static final Rules ESCALATES =
      Rules.RESTART.on(UnsupportedOperationException.class, Directive.ESCALATE);

  @RegisterExtension final Stage stage = new Stage();

  /** Completes the stop of an actor that is called slow. */
  private final Promise<Void> slow = Promise.promise();

  private final class Player extends Actor<Cue> {
    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(Cue.Fail.class, fail -> fails(fail.why()))
          .message(Cue.Count.class, count -> reply(1))
          .message(
              Cue.Watch.class, watch -> watch(watch.other(), end -> new Cue.Over(end.reason())))
          .message(Cue.Over.class, over -> stage.sees("over: " + over.cause()));
    }

    @Override
    protected Future<?> stopped() {
      return path().name().equals("slow") ? slow.future() : Future.succeededFuture();
    }
  }

  private static final class Keeper extends DurableStateActor<Cue, Integer> {
    @Override
    protected Integer initial() {
      return 0;
    }

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(Cue.Fail.class, fail -> fails(fail.why()))
          .message(Cue.Count.class, count -> reply(1))
          .others(cue -> {});
    }
  }

  private static void fails(String why) {
    throw switch (why) {
      case "escalate" -> new UnsupportedOperationException(why);
      case "park" -> new IllegalArgumentException(why);
      default -> new IllegalStateException(why);
    };
  }

  private void zone(String path, FailureZone zone, SupervisionOptions options) throws Exception {
    await(stage.callboard.supervise(path, zone, options));
  }

  private ActorRef<Cue> spawn(String path, SupervisionOptions options) throws Exception {
    return await(
        stage.callboard.spawn(path, Player::new, new ActorOptions(QUICK).supervision(options)));
  }

  private ActorRef<Cue> spawn(String path) throws Exception {
    return spawn(path, AGAIN);
  }

  private static void fail(ActorRef<Cue> actor, String why) throws Exception {
    await(actor.tell(new Cue.Fail(why)));
  }

  private Map<String, ActorStatus> all() {
    return stage.callboard.admin().running().result().stream()
        .collect(Collectors.toMap(status -> status.path().toString(), status -> status));
  }

  private String state(String path) {
    ActorStatus status = all().get(path);
    return status == null ? "none" : status.state().name();
  }

  private FailureZoneStatus zone(String path) {
    return stage.callboard.admin().failureZones().stream()
        .filter(zone -> zone.path().toString().equals(path))
        .findFirst()
        .orElseThrow();
  }

  private void becomes(String path, String state) {
    Eventually.assertThat(() -> assertThat(state(path)).as(path).isEqualTo(state));
  }

  private void zoneBecomes(String path, String state) {
    Eventually.assertThat(() -> assertThat(zone(path).state().name()).as(path).isEqualTo(state));
  }

  @Test
  void aChildThatBreaksTheLimitOfItsZoneRestsLikeItsSiblingsAndTheHistoryNamesIt()
      throws Exception {
    zone("/shop", RESTS, AGAIN);
    ActorRef<Cue> breaker = spawn("/shop/a");
    spawn("/shop/b");
    fail(breaker, "too much");
    zoneBecomes("/shop", "FAILED");
    assertThat(all().values())
        .allSatisfy(
            status -> {
              assertThat(status.state().name()).as(status.path().toString()).isEqualTo("RESTS");
              assertThat(status.nextAttempt()).isNull();
            });
    List<Failure> history = await(stage.callboard.admin().failures("/shop"));
    assertThat(history)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.cause()).contains("/shop/a").contains("too much");
              assertThat(failure.decision()).isEqualTo(Directive.PARK);
            });
    assertThat(await(stage.callboard.admin().failures("/shop/a")))
        .singleElement()
        .satisfies(failure -> assertThat(failure.decision()).isEqualTo(Directive.PARK));
    await(stage.callboard.admin().resume("/shop"));
    becomes("/shop/a", "RUNNING");
    becomes("/shop/b", "RUNNING");
  }

  @Test
  void aChildThatWaitsForItsBackoffHasNoNextAttemptWhileItsZoneRests() throws Exception {
    zone("/shop", RESTS.intensity(1, Duration.ofMinutes(1)), AGAIN);
    ActorRef<Cue> waits = spawn("/shop/a", MUCH_LATER);
    ActorRef<Cue> breaker = spawn("/shop/b");
    fail(waits, "first");
    becomes("/shop/a", "WAITS");
    fail(breaker, "second");
    zoneBecomes("/shop", "FAILED");
    assertThat(all().get("/shop/a").nextAttempt()).isNull();
    assertThat(state("/shop/a")).isEqualTo("RESTS");
  }

  @Test
  void zonesWithinOneThatRestsRestWithIt() throws Exception {
    zone("/shop", RESTS, AGAIN);
    zone("/shop/till", new FailureZone(), AGAIN);
    spawn("/shop/till/drawer");
    fail(spawn("/shop/a"), "too much");
    zoneBecomes("/shop", "FAILED");
    zoneBecomes("/shop/till", "RESTS");
    becomes("/shop/till/drawer", "RESTS");
    var late = stage.callboard.spawn("/shop/till/late", Player::new, QUICK);
    becomes("/shop/till/late", "RESTS");
    await(stage.callboard.admin().resume("/shop"));
    becomes("/shop/till/drawer", "RUNNING");
    assertThat(await(late)).isNotNull();
  }

  @Test
  void watchersGroupsAndAskersLearnThatAZoneRests() throws Exception {
    zone("/shop", RESTS, AGAIN);
    ActorRef<Cue> watcher = spawn("/watcher");
    ActorRef<Cue> sibling =
        await(
            stage.callboard.spawn(
                "/shop/b",
                Player::new,
                new ActorOptions(QUICK).group("clerks").supervision(AGAIN)));
    ActorRef<Cue> breaker = spawn("/shop/a");
    await(watcher.tell(new Cue.Watch(sibling)));
    await(watcher.tell(new Cue.Watch(breaker)));
    assertThat(await(watcher.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    assertThat(stage.callboard.group("clerks", Cue.class).members()).hasSize(1);
    fail(breaker, "too much");
    zoneBecomes("/shop", "FAILED");
    assertThat(List.of(stage.next(), stage.next())).allMatch(over -> over.contains("/shop"));
    assertThat(stage.callboard.group("clerks", Cue.class).members()).isEmpty();
    assertThatThrownBy(
            () -> await(sibling.ask(new Cue.Count(), Integer.class, Duration.ofMillis(50))))
        .hasMessageContaining("needs /shop, which is stopped or failed");
    await(watcher.tell(new Cue.Watch(sibling)));
    assertThat(stage.next()).as("who watches later").contains("/shop");
  }

  @Test
  void anOperatorsParkHoldsOverRestartsOfItsZone() throws Exception {
    zone("/outer", new FailureZone(), AGAIN);
    zone("/outer/shop", new FailureZone().rules(ESCALATES), AGAIN);
    ActorRef<Cue> other = spawn("/outer/shop/a");
    spawn("/outer/shop/b");
    await(stage.callboard.admin().suspend("/outer/shop/b"));
    becomes("/outer/shop/b", "STOPPED");
    fail(other, "escalate");
    Eventually.assertThat(() -> assertThat(zone("/outer/shop").restarts()).isEqualTo(1));
    becomes("/outer/shop/a", "RUNNING");
    assertThat(state("/outer/shop/b")).isEqualTo("STOPPED");
    await(stage.callboard.admin().resume("/outer/shop/b"));
    becomes("/outer/shop/b", "RUNNING");
  }

  @Test
  void anOperatorStopsWhatWaitsWithItsZoneAndIsToldWhatElseCannotBe() throws Exception {
    zone("/outer", new FailureZone(), AGAIN);
    zone("/outer/shop", new FailureZone().rules(ESCALATES), MUCH_LATER);
    ActorRef<Cue> other = spawn("/outer/shop/a");
    spawn("/outer/shop/b");
    fail(other, "escalate");
    zoneBecomes("/outer/shop", "WAITS");
    becomes("/outer/shop/b", "WAITS");
    assertCode(() -> await(stage.callboard.admin().restart("/outer/shop/b")), Code.CONFLICT);
    assertCode(() -> await(stage.callboard.admin().resume("/outer/shop/a")), Code.CONFLICT);
    await(stage.callboard.admin().suspend("/outer/shop/b"));
    becomes("/outer/shop/b", "STOPPED");
    await(stage.callboard.admin().resume("/outer/shop"));
    becomes("/outer/shop/a", "RUNNING");
    zoneBecomes("/outer/shop", "RUNNING");
    assertThat(state("/outer/shop/b")).isEqualTo("STOPPED");
    await(stage.callboard.admin().resume("/outer/shop/b"));
    becomes("/outer/shop/b", "RUNNING");
  }

  @Test
  void aChildThatNeedsASiblingThatRestsSaysSoAndIsNotResumedBeforeIt() throws Exception {
    zone("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE), AGAIN);
    spawn("/shop/a");
    spawn("/shop/b");
    await(stage.callboard.admin().suspend("/shop/a"));
    becomes("/shop/a", "STOPPED");
    becomes("/shop/b", "RESTS");
    assertThatThrownBy(() -> await(stage.callboard.admin().resume("/shop/b")))
        .hasMessageContaining("/shop/a");
    assertCode(() -> await(stage.callboard.admin().restart("/shop/b")), Code.CONFLICT);
    await(stage.callboard.admin().resume("/shop/a"));
    becomes("/shop/b", "RUNNING");
  }

  /** Actor whose stop waits for the test. */
  private static final class Slow extends Actor<Cue> {
    private final Future<Void> stop;

    Slow(Future<Void> stop) {
      this.stop = stop;
    }

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(Cue.Count.class, count -> reply(1)).others(cue -> {});
    }

    @Override
    protected Future<?> stopped() {
      return stop;
    }
  }

  @Test
  void aChildThatIsAboutToStopForASiblingIsNotResumedBeforeIt() throws Exception {
    Promise<Void> stop = Promise.promise();
    zone("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE), AGAIN);
    spawn("/shop/a");
    spawn("/shop/b");
    await(
        stage.callboard.spawn(
            "/shop/c", () -> new Slow(stop.future()), new ActorOptions(QUICK).supervision(AGAIN)));
    await(stage.callboard.admin().suspend("/shop/a"));
    assertThat(state("/shop/c")).as("at once, though it still stops").isEqualTo("RESTS");
    assertThat(state("/shop/b")).as("its turn to stop has not come").isEqualTo("RUNNING");
    for (String path : List.of("/shop/b", "/shop/c")) {
      assertCode(() -> await(stage.callboard.admin().resume(path)), Code.CONFLICT);
      assertCode(() -> await(stage.callboard.admin().restart(path)), Code.CONFLICT);
    }
    stop.complete();
    becomes("/shop/b", "RESTS");
    becomes("/shop/a", "STOPPED");
    await(stage.callboard.admin().resume("/shop/a"));
    becomes("/shop/c", "RUNNING");
    await(stage.callboard.admin().restart("/shop/b"));
    becomes("/shop/c", "RUNNING");
  }

  @Test
  void aWishThatFollowsAStopAtOnceIsGrantedOrRefused() throws Exception {
    zone("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE), AGAIN);
    spawn("/shop/a");
    spawn("/shop/b");
    for (int round = 0; round < 100; round++) {
      await(stage.callboard.admin().suspend("/shop/a"));
      assertThat(state("/shop/b")).isNotEqualTo("WAITS");
      String what = round % 2 == 0 ? "resume" : "restart";
      assertCode(
          () ->
              await(
                  what.equals("resume")
                      ? stage.callboard.admin().resume("/shop/b")
                      : stage.callboard.admin().restart("/shop/b")),
          Code.CONFLICT);
      await(stage.callboard.admin().resume("/shop/a"));
      await(stage.callboard.admin().restart("/shop/b"));
      becomes("/shop/b", "RUNNING");
    }
  }

  @Test
  void anActorThatWasToStopAndIsResumedBeforeHasNotEnded() throws Exception {
    zone("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE), AGAIN);
    spawn("/shop/a");
    ActorRef<Cue> second = spawn("/shop/b");
    spawn("/shop/slow"); // behind which the others wait
    ActorRef<Cue> watcher = spawn("/watcher");
    await(watcher.tell(new Cue.Watch(second)));
    assertThat(await(watcher.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    await(stage.callboard.admin().suspend("/shop/a"));
    await(watcher.tell(new Cue.Watch(second)));
    assertThat(await(watcher.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    await(stage.callboard.admin().resume("/shop/a"));
    slow.complete();
    becomes("/shop/slow", "RUNNING");
    assertThat(await(watcher.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    stage.sees("all run");
    stage.expect("all run");
  }

  @Test
  void anAskThatTimesOutSaysWhatIsToBeResumed() throws Exception {
    zone("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE), AGAIN);
    ActorRef<Cue> first = spawn("/shop/a");
    ActorRef<Cue> second = spawn("/shop/b");
    await(stage.callboard.admin().suspend("/shop/a"));
    becomes("/shop/b", "RESTS");
    Eventually.assertThat( // it stops after those that need it
        () ->
            assertThatThrownBy(
                    () -> await(first.ask(new Cue.Count(), Integer.class, Duration.ofMillis(50))))
                .hasMessageContaining(
                    "/shop/a was stopped by an operator, its mail waits until it is resumed"));
    assertThatThrownBy(
            () -> await(second.ask(new Cue.Count(), Integer.class, Duration.ofMillis(50))))
        .hasMessageContaining(
            "/shop/b needs /shop/a, which is stopped or failed: its mail waits until that one is resumed");
  }

  @Test
  void aPoisonedMessageUsesUpItsOwnAttemptsAndNoRestartsOfItsZone() throws Exception {
    zone("/shop", new FailureZone().intensity(new Intensity(0, Duration.ofMinutes(1))), AGAIN);
    ActorRef<Cue> keeper =
        await(
            stage.callboard.spawn(
                "/shop/keeper", Keeper::new, new ActorOptions(QUICK).supervision(AGAIN)));
    spawn("/shop/b");
    fail(keeper, "poison");
    fail(keeper, "poison");
    assertThat(await(keeper.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    assertThat(await(stage.callboard.admin().parked(10))).hasSize(2);
    assertThat(zone("/shop").restarts()).isZero();
    assertThat(all().get("/shop/keeper").restarts()).isEqualTo(10);
    assertThat(all().get("/shop/b").restarts()).isZero();
  }
}
