package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Test that operators change the treatment of failures of running actors, and read the remaining
 * budgets.
 */
class ChangedPolicyTest {
  sealed interface Cue {
    record Fail() implements Cue {}

    record Well() implements Cue {}

    record Ask() implements Cue {}
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final SupervisionOptions DOUBLING =
      new SupervisionOptions()
          .backoff(Backoff.exponential(Duration.ofMillis(5), MINUTE, Backoff.Jitter.NONE));

  private final AtomicInteger starts = new AtomicInteger();
  @AutoClose private Stage stage;

  private final class Player extends Actor<Cue> {
    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(
              Cue.Fail.class,
              fail -> {
                throw new IllegalStateException("as told");
              })
          .message(Cue.Well.class, well -> resetBackoff())
          .message(Cue.Ask.class, this::reply);
    }

    @Override
    protected Future<?> started() {
      starts.incrementAndGet();
      return Future.succeededFuture();
    }
  }

  @BeforeEach
  void start() throws Exception {
    stage = new Stage();
  }

  private ActorRef<Cue> spawn(String path, SupervisionOptions options) throws Exception {
    return await(stage.callboard.spawn(path, Player::new, new ActorOptions().supervision(options)));
  }

  private FailureZoneStatus zone() {
    return stage.callboard.admin().failureZones().get(0);
  }

  private ActorStatus actor(String path) {
    return stage.callboard.admin().running().result().stream()
        .filter(status -> status.path().toString().equals(path))
        .findFirst()
        .orElseThrow();
  }

  /** Makes the actor fail, and waits for an answer of its next life. */
  private static void crash(ActorRef<Cue> actor) throws Exception {
    await(actor.tell(new Cue.Fail()));
    await(actor.ask(new Cue.Ask(), Cue.Ask.class));
  }

  @Test
  void aZoneHasAnotherPolicyAndItsChildrenRunOn() throws Exception {
    await(stage.callboard.supervise("/zone", new FailureZone().intensity(1, MINUTE)));
    ActorRef<Cue> a = spawn("/zone/a", DOUBLING);
    ActorRef<Cue> b = spawn("/zone/b", DOUBLING);
    crash(a);
    assertThat(zone().budget()).isEqualTo(new RestartBudget(1, MINUTE, 1));
    FailureZone wide = new FailureZone().strategy(Strategy.ALL_FOR_ONE).intensity(3, MINUTE);
    await(stage.callboard.admin().changePolicy("/zone", wide));
    Eventually.assertThat(() -> assertThat(zone().budget().left()).isEqualTo(2));
    assertThat(zone().policy()).isEqualTo(wide);
    assertThat(starts).as("nothing was restarted").hasValue(3);
    crash(a);
    await(b.ask(new Cue.Ask(), Cue.Ask.class));
    Eventually.assertThat(() -> assertThat(starts).as("both, by the strategy").hasValue(5));
    FailureZone parks = wide.rules(Rules.RESTART.when(cause -> true, Directive.PARK));
    await(stage.callboard.admin().changePolicy("/zone", parks));
    await(a.tell(new Cue.Fail()));
    Eventually.assertThat(
        () -> assertThat(actor("/zone/a").state()).isEqualTo(ActorStatus.State.FAILED));
  }

  @Test
  void aPolicyOutlivesARestartOfItsZone() throws Exception {
    await(stage.callboard.supervise("/zone", new FailureZone()));
    ActorRef<Cue> a = spawn("/zone/a", DOUBLING);
    FailureZone narrow = new FailureZone().intensity(7, MINUTE);
    await(stage.callboard.admin().changePolicy("/zone", narrow));
    crash(a);
    await(stage.callboard.admin().restart("/zone"));
    Eventually.assertThat(
        () -> {
          assertThat(zone().restarts()).isEqualTo(1);
          assertThat(zone().state()).isEqualTo(FailureZoneStatus.State.RUNNING);
        });
    assertThat(zone().policy()).isEqualTo(narrow);
    assertThat(zone().budget()).isEqualTo(RestartBudget.unused(narrow.intensity()));
  }

  @Test
  void aChangeOfAnUnknownPathIsRefused() throws Exception {
    spawn("/actor", DOUBLING);
    assertCode(
        () -> await(stage.callboard.admin().changePolicy("/actor", new FailureZone())),
        Code.NO_SUCH_ACTOR);
    assertThatThrownBy(
            () -> await(stage.callboard.admin().changePolicy("/nothing", new FailureZone())))
        .hasMessage("/nothing is not a failure zone of node stage: nothing has that path");
    assertThatThrownBy(
            () -> await(stage.callboard.admin().changePolicy("no path", new FailureZone())))
        .isInstanceOf(IllegalArgumentException.class);
    assertCode(
        () -> await(stage.callboard.admin().changeSupervision("/nothing", DOUBLING)),
        Code.NO_SUCH_ACTOR);
  }

  @Test
  void anActorIsTreatedOtherwiseAndItsStatusTellsWhatIsLeft() throws Exception {
    ActorRef<Cue> alone = spawn("/alone", DOUBLING.kind(ChildKind.PERMANENT));
    assertThat(actor("/alone").childKind()).isEqualTo(ChildKind.PERMANENT);
    assertThat(actor("/alone").budget()).isEqualTo(RestartBudget.unused(Intensity.DEFAULT));
    crash(alone);
    assertThat(actor("/alone").budget())
        .isEqualTo(new RestartBudget(20, Intensity.DEFAULT.window(), 1));
    await(stage.callboard.admin().changeSupervision("/alone", DOUBLING.intensity(1, MINUTE)));
    Eventually.assertThat(
        () -> assertThat(actor("/alone").budget()).isEqualTo(new RestartBudget(1, MINUTE, 1)));
    assertThat(actor("/alone").childKind()).isEqualTo(ChildKind.TRANSIENT);
    await(alone.tell(new Cue.Fail()));
    Eventually.assertThat(
        () -> assertThat(actor("/alone").state()).isEqualTo(ActorStatus.State.FAILED));
  }

  @Test
  void aChildWithoutAnIntensityOfItsOwnHasTheBudgetOfItsZone() throws Exception {
    await(stage.callboard.supervise("/zone", new FailureZone(), DOUBLING.intensity(4, MINUTE)));
    spawn("/zone/a", DOUBLING);
    spawn("/zone/b", DOUBLING.intensity(2, MINUTE));
    assertThat(actor("/zone/a").budget()).isNull();
    assertThat(actor("/zone/b").budget()).isEqualTo(new RestartBudget(2, MINUTE, 0));
    assertThat(zone().ownBudget()).isEqualTo(new RestartBudget(4, MINUTE, 0));
    assertThat(zone().childKind()).isEqualTo(ChildKind.TRANSIENT);
  }

  @Test
  void anActorResetsItsBackoffOnceItIsWell() throws Exception {
    ActorRef<Cue> actor = spawn("/actor", DOUBLING);
    crash(actor);
    crash(actor);
    await(actor.tell(new Cue.Well()));
    crash(actor);
    assertThat(await(stage.callboard.admin().failures("/actor")))
        .extracting(Failure::delay)
        .extracting(delay -> Objects.requireNonNull(delay).toMillis())
        .containsExactly(5L, 10L, 5L);
    assertThat(actor("/actor").budget()).extracting(RestartBudget::counted).isEqualTo(3);
  }
}
