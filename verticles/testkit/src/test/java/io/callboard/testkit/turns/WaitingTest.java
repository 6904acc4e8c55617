package io.callboard.testkit.turns;

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
import io.callboard.TellOptions;
import io.callboard.testkit.Stage;
import io.callboard.testkit.actor.TestedActor;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test of what an actor of either kind may wait for, in a node and in a test of the actor alone.
 */
class WaitingTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration BEFORE = Duration.ofMillis(-1);

  record Do(String what) {}

  record Did(String what) {}

  /** Operations that both kinds of actors have. */
  private interface Hand {
    void timer(Duration delay);

    void periodic(Duration every);

    void idle(Duration limit);
  }

  private static final class Volatile extends Actor<Do> implements Hand {
    private final BiConsumer<Hand, Do> work;

    Volatile(BiConsumer<Hand, Do> work) {
      this.work = work;
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            work.accept(this, message);
            reply(new Did(message.what()));
          });
    }

    @Override
    public void timer(Duration delay) {
      startTimer("once", delay, new Do("once"));
    }

    @Override
    public void periodic(Duration every) {
      startPeriodicTimer("beat", every, new Do("beat"));
    }

    @Override
    public void idle(Duration limit) {
      receiveTimeout(limit, new Do("idle"));
    }
  }

  private static final class Durable extends DurableStateActor<Do, Did> implements Hand {
    private final BiConsumer<Hand, Do> work;

    Durable(BiConsumer<Hand, Do> work) {
      this.work = work;
    }

    @Override
    protected Did initial() {
      return new Did("");
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            work.accept(this, message);
            reply(new Did(message.what()));
          });
    }

    @Override
    public void timer(Duration delay) {
      startDurableTimer("once", delay, new Do("once"));
    }

    @Override
    public void periodic(Duration every) {
      startPeriodicDurableTimer("beat", every, new Do("beat"));
    }

    @Override
    public void idle(Duration limit) {
      receiveTimeout(limit, new Do("idle"));
    }
  }

  @RegisterExtension final Stage stage = new Stage();

  private List<ActorRef<Do>> both(BiConsumer<Hand, Do> work) throws Exception {
    ActorOptions options = new ActorOptions(QUICK).attempts(1);
    await(stage.callboard.spawn("/durable", () -> new Durable(work), options));
    return List.of(
        await(stage.callboard.spawn("/volatile", () -> new Volatile(work), options)),
        stage.callboard.durableRef("/durable", Do.class));
  }

  @Test
  void anEndlessWaitIsTakenAsTheLongestTime() throws Exception {
    BiConsumer<Hand, Do> work =
        (hand, message) -> {
          hand.timer(FOREVER);
          hand.periodic(FOREVER);
          hand.idle(FOREVER);
        };
    for (ActorRef<Do> hand : both(work)) {
      assertThat(await(hand.ask(new Do("x"), Did.class, FOREVER))).isEqualTo(new Did("x"));
      await(hand.tell(new Do("y"), TellOptions.within(FOREVER)));
      assertThat(await(hand.ask(new Do("z"), Did.class))).as("not restarted").isNotNull();
    }
    assertThat(await(stage.callboard.admin().running())).allMatch(status -> status.failures() == 0);
  }

  @Test
  void anImpossibleWaitFailsTheHandler() throws Exception {
    BiConsumer<Hand, Do> work =
        (hand, message) -> {
          switch (message.what()) {
            case "timer" -> hand.timer(BEFORE);
            case "periodic" -> hand.periodic(Duration.ZERO);
            case "idle" -> hand.idle(Duration.ZERO);
            default -> {}
          }
        };
    for (ActorRef<Do> hand : both(work)) {
      for (String what : List.of("timer", "periodic", "idle")) {
        assertCode(() -> await(hand.ask(new Do(what), Did.class)), Code.HANDLER_FAILED);
      }
      assertThat(await(hand.ask(new Do("x"), Did.class))).isEqualTo(new Did("x"));
    }
  }

  @Test
  void theTestOfAnActorAloneFindsItToo() {
    TestedActor<Do> hand =
        TestedActor.of(() -> new Volatile((me, message) -> me.periodic(Duration.ZERO)))
            .path("/hand")
            .start();
    assertThatThrownBy(() -> hand.tell(new Do("x")))
        .rootCause()
        .hasMessage(
            "periodic timer \"beat\" of /hand must have a period of at least 1 ms, not PT0S");
  }
}
