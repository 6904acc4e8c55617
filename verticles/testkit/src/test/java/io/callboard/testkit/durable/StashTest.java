package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.DeadLetter;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Test that stashed messages fail and age like those waiting in the mailbox, in a node and in a
 * test of the actor.
 */
@ExtendWith(CallboardExtension.class)
class StashTest {
  record Do(String what) {}

  record Did(String what) {}

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Future<?> DONE = Future.succeededFuture();
  private static final ActorOptions QUICK =
      new ActorOptions()
          .backoff(
              Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1), Backoff.Jitter.NONE));

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  /** Actor that does what the test specifies. */
  private static final class Hand extends Actor<Do> {
    private final BiFunction<Hand, Do, Future<?>> work;

    Hand(BiFunction<Hand, Do, Future<?>> work) {
      this.work = work;
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.async(Do.class, message -> work.apply(this, message));
    }

    void aside() {
      stash();
    }

    void soon(Runnable task) {
      context.runOnContext(v -> task.run());
    }

    void takesUp() {
      unstashAll();
    }

    void answers(String what) {
      reply(new Did(what));
    }

    void starts(String key) {
      startTimer(key, MINUTE, new Do(key));
    }

    void repeats(String key) {
      startPeriodicTimer(key, MINUTE, new Do(key));
    }

    void cancels(String key) {
      cancelTimer(key);
    }
  }

  /** Puts poison aside in several ways, and fails. */
  private Future<?> poisoned(Hand hand, Do message) {
    seen.add(message.what());
    switch (message.what()) {
      case "thrown" -> {
        hand.aside();
        throw new IllegalStateException("as told");
      }
      case "twice" -> {
        hand.aside();
        hand.aside();
      }
      case "taken up" -> {
        hand.aside();
        hand.takesUp();
        throw new IllegalStateException("as told");
      }
      case "later" -> {
        hand.aside();
        return Future.future(
            end -> hand.soon(() -> end.fail(new IllegalStateException("as told"))));
      }
      case "early" -> hand.aside();
      default -> hand.answers(message.what());
    }
    return DONE;
  }

  @Test
  void aMessageWhoseHandlerFailsIsNotStashed(Callboard callboard, ManualTime time)
      throws Exception {
    ActorRef<Do> hand = await(callboard.spawn("/hand", () -> new Hand(this::poisoned), QUICK));
    for (String poison : List.of("thrown", "twice", "taken up", "later")) {
      seen.clear();
      await(hand.tell(new Do("early")));
      Future<Did> asked = hand.ask(new Do(poison), Did.class);
      assertCode(() -> await(asked), Code.HANDLER_FAILED);
      Future<Did> behind = hand.ask(new Do("behind"), Did.class);
      time.advance(Duration.ofSeconds(1));
      assertThat(await(behind)).isEqualTo(new Did("behind"));
      assertThat(seen).as(poison).containsExactly("early", poison, "early", "behind");
      await(callboard.stop("/hand"));
      hand = await(callboard.spawn("/hand", () -> new Hand(this::poisoned), QUICK));
    }
  }

  @Test
  void norInATest() {
    for (String poison : List.of("thrown", "twice", "taken up")) {
      seen.clear();
      TestedActor<Do> hand = TestedActor.of(() -> new Hand(this::poisoned)).start();
      hand.tell(new Do(poison + "?"));
      assertThat(hand.failure(() -> hand.tell(new Do(poison))))
          .isInstanceOf(IllegalStateException.class);
      hand.tell(new Do("behind"));
      assertThat(seen).containsExactly(poison + "?", poison, "behind");
    }
  }

  /** Puts what a timer sends aside, the first time. */
  private Future<?> timed(Hand hand, Do message) {
    seen.add(message.what());
    switch (message.what()) {
      case "start once" -> hand.starts("once");
      case "start again" -> hand.repeats("again");
      case "cancel" -> {
        hand.cancels("once");
        hand.cancels("again");
      }
      case "take up" -> hand.takesUp();
      case "fail" -> throw new IllegalStateException("as told");
      default -> {
        if (Collections.frequency(seen, message.what()) == 1) {
          hand.aside();
        }
        return DONE;
      }
    }
    hand.answers("done");
    return DONE;
  }

  private void tells(ActorRef<Do> hand, String... what) throws Exception {
    for (String each : what) {
      assertThat(await(hand.ask(new Do(each), Did.class))).isEqualTo(new Did("done"));
    }
  }

  @Test
  void aStashedMessageOfATimerCanBeTakenBack(Callboard callboard, ManualTime time)
      throws Exception {
    ActorRef<Do> hand = await(callboard.spawn("/hand", () -> new Hand(this::timed)));
    tells(hand, "start once", "start again");
    time.advance(MINUTE.multipliedBy(5));
    assertThat(seen).as("one lies aside").containsOnlyOnce("once").containsOnlyOnce("again");
    tells(hand, "cancel", "take up", "start once", "start again", "cancel");
    assertThat(seen).containsOnlyOnce("once").containsOnlyOnce("again");
    seen.clear();
    tells(hand, "start once", "start again");
    time.advance(MINUTE.multipliedBy(5));
    tells(hand, "take up", "take up");
    assertThat(seen)
        .containsExactly(
            "start once", "start again", "once", "again", "take up", "once", "again", "take up");
    time.advance(MINUTE);
    assertThat(seen).as("it goes on").hasSize(9).endsWith("again");
  }

  @Test
  void aStashedMessageOfATimerSurvivesARestart(Callboard callboard, ManualTime time)
      throws Exception {
    ActorRef<Do> hand = await(callboard.spawn("/hand", () -> new Hand(this::timed), QUICK));
    tells(hand, "start once", "start again");
    time.advance(MINUTE);
    tells(hand, "start again"); // what lies aside of the former one is void
    assertCode(() -> await(hand.ask(new Do("fail"), Did.class)), Code.HANDLER_FAILED);
    time.advance(MINUTE.multipliedBy(2));
    tells(hand, "take up");
    assertThat(seen)
        .containsExactly(
            "start once", "start again", "once", "again", "start again", "fail", "once", "take up");
  }

  @Test
  void inATestToo() {
    TestedActor<Do> hand = TestedActor.of(() -> new Hand(this::timed)).start();
    hand.tell(new Do("start once"));
    hand.tell(new Do("start again"));
    hand.fire("once");
    hand.fire("again");
    hand.fire("again");
    assertThat(seen).containsOnlyOnce("once").containsOnlyOnce("again");
    hand.tell(new Do("cancel"));
    hand.tell(new Do("take up"));
    assertThat(seen).containsOnlyOnce("once").containsOnlyOnce("again");
    seen.clear();
    hand.tell(new Do("start once"));
    hand.fire("once");
    hand.tell(new Do("start again"));
    hand.fire("again");
    hand.tell(new Do("start again"));
    hand.restart();
    assertThat(seen)
        .containsExactly("start once", "once", "start again", "again", "start again", "once");
  }

  @Test
  void aDeadlineGoesOn(Callboard callboard, ManualTime time) throws Exception {
    List<DeadLetter> letters = Collections.synchronizedList(new ArrayList<>());
    Runnable end = callboard.admin().onDeadLetter(letters::add);
    ActorRef<Do> hand = await(callboard.spawn("/hand", () -> new Hand(this::timed)));
    await(hand.tell(new Do("old"), TellOptions.within(MINUTE)));
    await(hand.tell(new Do("young"), TellOptions.within(MINUTE.multipliedBy(3))));
    time.advance(MINUTE.multipliedBy(2));
    tells(hand, "take up", "take up");
    assertThat(seen).containsExactly("old", "young", "take up", "young", "take up");
    time.advance(MINUTE);
    assertThat(letters).extracting(DeadLetter::message).containsExactly(new Do("old"));
    end.run();
  }
}
