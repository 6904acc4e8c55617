package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.failing;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.admin.ZoneStatus;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lives of volatile actors that end while a handler keeps its thread. */
class LeftBehindTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  record Do(String what) {}

  record Answer(String text) {}

  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  @RegisterExtension final Stage stage = new Stage();

  private final class Keeper extends Actor<Do> {
    @Override
    protected Future<?> started() {
      return spawnChild("child", failing(Do.class, "asked to fail"), escalating());
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            switch (message.what()) {
              case "stash" -> stash();
              case "count" -> reply(new Answer("" + stashed().size()));
              case "stop" -> {
                stopSelf();
                block();
              }
              case "child" -> {
                tell(callboard().ref("/keeper/child", Do.class), new Do("fail"));
                block();
                reply(new Answer("done"));
              }
              default -> {
                block();
                int cleared = stashed().clear(new CallboardException(Code.STOPPED, "cleared"));
                unstashAll();
                stash();
                stage.sees("cleared " + cleared);
              }
            }
          });
    }

    private void block() {
      stage.sees("blocks");
      Waits.opened(mayGoOn);
    }
  }

  private static ActorOptions blocking() {
    return new ActorOptions(QUICK).zone("blocking");
  }

  private static ActorOptions escalating() {
    return blocking()
        .supervision(
            new SupervisionOptions().rules(Rules.RESTART.when(cause -> true, Directive.ESCALATE)));
  }

  @AfterEach
  void goOn() {
    mayGoOn.countDown();
  }

  private static String count(ActorRef<Do> keeper) {
    return await(keeper.ask(new Do("count"), Answer.class, LONG)).text();
  }

  @Test
  void aHandlerThatReturnsLateDoesNotChangeTheStashOfTheNextLife() throws Exception {
    Queue<String> dead = new ConcurrentLinkedQueue<>();
    Runnable unused =
        stage.callboard.admin().onDeadLetter(letter -> dead.add(letter.cause().getMessage()));
    ActorRef<Do> keeper =
        await(
            stage.callboard.spawn(
                "/keeper", Keeper::new, blocking().stopTimeout(Duration.ofMillis(50))));
    Future<Answer> late = keeper.ask(new Do("late"), Answer.class, LONG);
    stage.expect("blocks");
    await(stage.callboard.admin().restart("/keeper"));
    assertThat(count(keeper)).isEqualTo("0");
    await(keeper.tell(new Do("stash")));
    assertThat(count(keeper)).isEqualTo("1");
    assertCode(() -> await(late), Code.STOPPED);
    mayGoOn.countDown();
    stage.expect("cleared 0");
    assertThat(count(keeper)).isEqualTo("1");
    Eventually.assertThat(
        () ->
            assertThat(dead)
                .containsExactly(
                    "a handler of /keeper stashed the message after the life of its actor had ended"));
  }

  @Test
  void aHandlerThatReturnsLateDoesNotStopTheNextLife() throws Exception {
    ActorRef<Do> keeper =
        await(
            stage.callboard.spawn(
                "/keeper", Keeper::new, blocking().stopTimeout(Duration.ofMillis(50))));
    await(keeper.tell(new Do("stop")));
    stage.expect("blocks");
    await(stage.callboard.admin().restart("/keeper"));
    assertThat(count(keeper)).isEqualTo("0");
    mayGoOn.countDown();
    Eventually.assertThat(() -> assertThat(busyThreads()).isZero());
    assertThat(count(keeper)).isEqualTo("0");
  }

  private int busyThreads() {
    return stage.callboard.admin().zones().stream()
        .filter(zone -> zone.name().equals("blocking"))
        .mapToInt(ZoneStatus::busy)
        .sum();
  }

  @Test
  void anEscalatedFailureLeavesTheMessageToTheHandlerThatRuns() throws Exception {
    ActorRef<Do> keeper = await(stage.callboard.spawn("/keeper", Keeper::new, blocking()));
    Future<Answer> answer = keeper.ask(new Do("child"), Answer.class, LONG);
    stage.expect("blocks");
    Eventually.assertThat(
        () ->
            assertThat(await(stage.callboard.admin().running()))
                .filteredOn(actor -> actor.path().toString().equals("/keeper"))
                .singleElement()
                .matches(actor -> actor.failures() == 1, "has failed by its child"));
    assertThat(answer.isComplete()).as("its handler runs").isFalse();
    mayGoOn.countDown();
    assertThat(await(answer).text()).isEqualTo("done");
    assertThat(count(keeper)).as("the next life").isEqualTo("0");
  }
}
