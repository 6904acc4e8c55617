package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.Terminated;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Test that a watcher is notified of the failure that ended an actor, and of none for one that was
 * stopped.
 */
class TerminatedCauseTest {
  sealed interface Cue {
    record Watch(String path) implements Cue {}

    record Fail(String why) implements Cue {}

    record Stop() implements Cue {}

    record Over() implements Cue {}
  }

  private final BlockingQueue<Terminated> ends = new LinkedBlockingQueue<>();
  @AutoClose private Stage stage;
  private ActorRef<Cue> watcher;

  private final class Player extends Actor<Cue> {
    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(Cue.Watch.class, this::watches)
          .message(
              Cue.Fail.class,
              fail -> {
                throw new IllegalStateException(fail.why());
              })
          .message(Cue.Stop.class, stop -> stopSelf())
          .message(Cue.Over.class, over -> {});
    }

    private void watches(Cue.Watch order) {
      watch(
          callboard().ref(order.path(), Cue.class),
          end -> {
            ends.add(end);
            return new Cue.Over();
          });
      reply(new Cue.Over());
    }
  }

  @BeforeEach
  void start() throws Exception {
    stage = new Stage();
    watcher = await(stage.callboard.spawn("/watcher", Player::new));
  }

  private ActorRef<Cue> watched(String path, SupervisionOptions options) throws Exception {
    ActorOptions quick = new ActorOptions(QUICK).supervision(options);
    ActorRef<Cue> actor = await(stage.callboard.spawn(path, Player::new, quick));
    await(watcher.ask(new Cue.Watch(path), Cue.Over.class));
    return actor;
  }

  private Terminated next() throws Exception {
    return Waits.next(ends);
  }

  private @Nullable Failure cause(String path) throws Exception {
    Terminated end = next();
    assertThat(end.actor().path()).hasToString(path);
    return end.cause();
  }

  @Test
  void aStoppedActorHasNoCause() throws Exception {
    ActorRef<Cue> itself = watched("/itself", QUICK.supervision());
    watched("/program", QUICK.supervision());
    watched("/operator", QUICK.supervision());
    await(itself.tell(new Cue.Stop()));
    assertThat(cause("/itself")).isNull();
    await(stage.callboard.stop("/program"));
    assertThat(cause("/program")).isNull();
    await(stage.callboard.admin().suspend("/operator"));
    assertThat(cause("/operator")).isNull();
    await(watcher.ask(new Cue.Watch("/nobody"), Cue.Over.class));
    assertThat(cause("/nobody")).isNull();
  }

  @Test
  void aFailureThatWasMendedIsNotTheCauseOfALaterStop() throws Exception {
    ActorRef<Cue> mended = watched("/mended", QUICK.supervision());
    await(mended.tell(new Cue.Fail("once")));
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().running().result())
                .anyMatch(status -> status.restarts() == 1));
    await(stage.callboard.stop("/mended"));
    assertThat(cause("/mended")).isNull();
  }

  @Test
  void anActorThatItsSupervisorGaveUpHasItsFailureAsTheCause() throws Exception {
    ActorRef<Cue> rests =
        watched("/rests", QUICK.supervision().intensity(0, Duration.ofMinutes(1)));
    ActorRef<Cue> once = watched("/once", QUICK.supervision().kind(ChildKind.TEMPORARY));
    String much = "x".repeat(100_000);
    await(rests.tell(new Cue.Fail(much)));
    assertThat(next())
        .satisfies(
            end -> {
              assertThat(end.reason()).isEqualTo("more than 0 restarts within PT1M");
              Failure cause = Objects.requireNonNull(end.cause());
              assertThat(cause.kind()).isEqualTo(Kind.THROWN);
              assertThat(cause.decision()).isEqualTo(Directive.PARK);
              assertThat(cause.cause())
                  .startsWith("java.lang.IllegalStateException: xxx")
                  .hasSizeLessThanOrEqualTo(Failure.MOST_CAUSE);
            });
    await(once.tell(new Cue.Fail("as told")));
    assertThat(cause("/once"))
        .satisfies(
            cause -> {
              assertThat(cause.cause()).isEqualTo("java.lang.IllegalStateException: as told");
              assertThat(cause.decision()).isEqualTo(Directive.STOP);
            });
    await(watcher.ask(new Cue.Watch("/rests"), Cue.Over.class));
    assertThat(cause("/rests")).as("of one that rests already").isNotNull();
  }

  @Test
  void anActorThatEndsWithItsFailureZoneHasTheCauseOfTheZone() throws Exception {
    FailureZone policy = new FailureZone().intensity(0, Duration.ofMinutes(1));
    await(stage.callboard.supervise("/resting", policy.whenOver(LimitAction.PARK)));
    watched("/resting/sibling", QUICK.supervision());
    ActorRef<Cue> failing = watched("/resting/failing", QUICK.supervision());
    await(failing.tell(new Cue.Fail("one too many")));
    for (int i = 0; i < 2; i++) {
      assertThat(next().cause())
          .satisfies(
              cause -> {
                assertThat(cause.kind()).isEqualTo(Kind.ESCALATED);
                assertThat(cause.cause()).contains("/resting/failing", "one too many");
              });
    }
    await(stage.callboard.supervise("/outer", policy.rules(stops())));
    await(stage.callboard.supervise("/outer/inner", policy));
    watched("/outer/inner/sibling", QUICK.supervision());
    failing = watched("/outer/inner/failing", QUICK.supervision());
    await(failing.tell(new Cue.Fail("one too many")));
    assertThat(cause("/outer/inner/failing")).extracting(Failure::kind).isEqualTo(Kind.THROWN);
    assertThat(cause("/outer/inner/sibling"))
        .satisfies(
            cause -> {
              assertThat(cause.kind()).isEqualTo(Kind.ESCALATED);
              assertThat(cause.decision()).isEqualTo(Directive.STOP);
            });
  }

  private static Rules stops() {
    return Rules.RESTART.when(cause -> true, Directive.STOP);
  }
}
