package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.StashView;
import io.callboard.admin.DeadLetter;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A few of what lies aside are taken up, it can be looked at, and given up. */
@ExtendWith(CallboardExtension.class)
class StashViewTest {
  sealed interface Cue {
    record Work(String what) implements Cue {}

    record Open(boolean open) implements Cue {}

    record TakeUp(int most) implements Cue {}

    /** Put aside itself, and taken up with so many. */
    record AsideAndTakeUp(int most) implements Cue {}

    record Look() implements Cue {}

    record Clear() implements Cue {}

    record Remind() implements Cue {}
  }

  record Seen(int size, int capacity, List<String> messages) {}

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private final class Hand extends Actor<Cue> {
    private boolean open;
    private boolean tookUp;

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(Cue.Work.class, this::work)
          .message(Cue.Open.class, cue -> open = cue.open())
          .message(Cue.TakeUp.class, cue -> unstash(cue.most()))
          .message(Cue.AsideAndTakeUp.class, this::asideAndTakeUp)
          .message(Cue.Look.class, cue -> reply(look()))
          .message(Cue.Clear.class, cue -> reply(clear()))
          .message(
              Cue.Remind.class,
              cue -> startPeriodicTimer("again", MINUTE, new Cue.Work("reminder")));
    }

    private void work(Cue.Work work) {
      if (open) {
        seen.add(work.what());
        reply(new Seen(0, 0, List.of()));
      } else {
        stash();
      }
    }

    private void asideAndTakeUp(Cue.AsideAndTakeUp cue) {
      if (tookUp) {
        seen.add("itself");
        return;
      }
      tookUp = true;
      stash();
      unstash(cue.most());
    }

    private Seen look() {
      StashView<Cue> view = stashed();
      List<String> all =
          view.messages().stream().map(message -> ((Cue.Work) message).what()).toList();
      assertThat(view.isEmpty()).isEqualTo(all.isEmpty());
      return new Seen(view.size(), view.capacity(), all);
    }

    private Seen clear() {
      int count =
          stashed().clear(new CallboardException(Code.UNAVAILABLE, "the shop stays closed"));
      return new Seen(count, 0, List.of());
    }
  }

  private static ActorRef<Cue> works(ActorRef<Cue> hand, String... what) throws Exception {
    for (String each : what) {
      await(hand.tell(new Cue.Work(each)));
    }
    return hand;
  }

  private ActorRef<Cue> hand(Callboard callboard) throws Exception {
    return await(callboard.spawn("/hand", Hand::new, new ActorOptions().mailboxLimit(5)));
  }

  private static Seen look(ActorRef<Cue> hand) throws Exception {
    return await(hand.ask(new Cue.Look(), Seen.class));
  }

  @Test
  void aFewAreTakenUpInOrderAndNoMoreThanAsked(Callboard callboard) throws Exception {
    ActorRef<Cue> hand = works(hand(callboard), "a", "b", "c", "d");
    assertThat(look(hand)).isEqualTo(new Seen(4, 5, List.of("a", "b", "c", "d")));
    await(hand.tell(new Cue.TakeUp(2))); // closed: they are put aside again, behind the others
    assertThat(look(hand).messages()).containsExactly("c", "d", "a", "b");
    await(hand.tell(new Cue.Open(true)));
    await(hand.tell(new Cue.TakeUp(1)));
    works(hand, "e");
    assertThat(look(hand).messages()).containsExactly("d", "a", "b");
    assertThat(seen).containsExactly("c", "e");
    await(hand.tell(new Cue.TakeUp(100)));
    assertThat(look(hand)).isEqualTo(new Seen(0, 5, List.of()));
    assertThat(seen).containsExactly("c", "e", "d", "a", "b");
  }

  @Test
  void theMessageAtHandIsTheLastOfThem(Callboard callboard) throws Exception {
    ActorRef<Cue> hand = works(hand(callboard), "a", "b");
    await(hand.tell(new Cue.Open(true)));
    await(hand.tell(new Cue.AsideAndTakeUp(2)));
    await(hand.ask(new Cue.Work("behind"), Seen.class));
    assertThat(seen).containsExactly("a", "b", "behind");
    await(hand.tell(new Cue.TakeUp(1)));
    await(hand.ask(new Cue.Work("last"), Seen.class));
    assertThat(seen).containsExactly("a", "b", "behind", "itself", "last");
  }

  @Test
  void aClearedMessageIsADeadLetterWithItsCauseAndItsAskerIsTold(
      Callboard callboard, ManualTime time) throws Exception {
    List<DeadLetter> letters = Collections.synchronizedList(new ArrayList<>());
    Runnable end = callboard.admin().onDeadLetter(letters::add);
    ActorRef<Cue> hand = works(hand(callboard), "told");
    Future<Seen> asked = hand.ask(new Cue.Work("asked"), Seen.class, MINUTE.multipliedBy(2));
    await(hand.tell(new Cue.Remind()));
    time.advance(MINUTE);
    assertThat(look(hand).messages()).containsExactly("told", "asked", "reminder");
    assertThat(await(hand.ask(new Cue.Clear(), Seen.class)).size()).isEqualTo(3);
    assertCode(() -> await(asked), Code.UNAVAILABLE);
    assertThat(letters)
        .extracting(DeadLetter::message)
        .containsExactly(new Cue.Work("told"), new Cue.Work("asked"), new Cue.Work("reminder"));
    assertThat(letters.get(0).cause()).hasMessage("the shop stays closed");
    assertThat(look(hand).size()).isZero();
    time.advance(MINUTE);
    assertThat(look(hand).messages()).as("the timer goes on").containsExactly("reminder");
    end.run();
  }

  @Test
  void aFewInATest() {
    TestedActor<Cue> hand = TestedActor.of(Hand::new).start();
    for (String each : List.of("a", "b", "c")) {
      hand.tell(new Cue.Work(each));
    }
    hand.tell(new Cue.Open(true));
    hand.tell(new Cue.TakeUp(2));
    assertThat(seen).containsExactly("a", "b");
  }

  @Test
  void noneIsRefused() {
    TestedActor<Cue> hand = TestedActor.of(Hand::new).start();
    assertThat(hand.failure(() -> hand.tell(new Cue.TakeUp(0))))
        .hasMessage("unstash needs a count of at least 1, not 0");
  }

  record Nothing() {}

  private final class Keeper extends DurableStateActor<Cue, Nothing> {
    private boolean open;

    @Override
    protected Nothing initial() {
      return new Nothing();
    }

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(
              Cue.Work.class,
              work -> {
                if (open) {
                  seen.add(work.what());
                } else {
                  stash();
                }
              })
          .message(Cue.Open.class, cue -> open = cue.open())
          .message(Cue.TakeUp.class, cue -> unstash(cue.most()))
          .message(
              Cue.Look.class,
              cue -> reply(new Seen(stashed().size(), stashed().capacity(), List.of())))
          .message(
              Cue.Clear.class,
              cue -> {
                assertThatThrownBy(() -> stashed().messages())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("/durable/keeper is durable");
                reply(stashed().clear(new CallboardException(Code.UNAVAILABLE, "closed")));
              })
          .others(cue -> {});
    }
  }

  @Test
  void aDurableOneTakesUpAFewAndKnowsHowManyLieAside(Callboard callboard) throws Exception {
    ActorRef<Cue> keeper =
        await(
            callboard.spawn(
                "/durable/keeper",
                Keeper::new,
                new ActorOptions(Stage.QUICK).mailboxLimit(40).attempts(1)));
    works(keeper, "a", "b", "c", "d");
    assertThat(look(keeper)).isEqualTo(new Seen(4, 10, List.of()));
    await(keeper.tell(new Cue.TakeUp(1)));
    assertThat(look(keeper).size()).as("put aside again").isEqualTo(4);
    await(keeper.tell(new Cue.Open(true)));
    await(keeper.tell(new Cue.TakeUp(2)));
    works(keeper, "e");
    assertThat(look(keeper).size()).isEqualTo(2);
    assertThat(seen).containsExactly("b", "c", "e");
    await(keeper.tell(new Cue.TakeUp(2)));
    assertThat(look(keeper).size()).isZero();
    assertThat(seen).containsExactly("b", "c", "e", "d", "a");
    assertThatThrownBy(() -> await(keeper.ask(new Cue.Clear(), Integer.class)))
        .hasMessageContaining("unstash the messages and refuse each");
  }
}
