package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.TellOptions;
import io.callboard.admin.DeadLetter;
import io.callboard.guard.GuardStateChange;
import io.callboard.guard.GuardStatus;
import io.callboard.guard.GuardStatus.State;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.Probe;
import io.callboard.testkit.Probes;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of what a guard does with its messages while the guarded actor fails. */
class GuardTest extends GuardStage {
  @Test
  void failedMessagesAreRedeliveredInOrderAndEachAskerGetsItsAnswer() throws Exception {
    ActorRef<Get> guard = guard(options());
    assertThat(await(ask(guard, "a")).by()).isEqualTo("client");
    down = true;
    List<Future<Price>> asks = new ArrayList<>();
    for (String sku : List.of("b", "c", "d", "e")) {
      asks.add(ask(guard, sku));
    }
    assertThat(status().state()).isEqualTo(State.OPEN);
    assertThat(status().held()).isEqualTo(4);
    assertThat(status().openedAt()).isEqualTo(ManualTime.BEGIN);
    pass(SECOND);
    assertThat(status().failures()).isEqualTo(2);
    assertThat(seen).containsExactly("a", "b", "b");
    down = false;
    pass(SECOND);
    assertThat(seen).as("two seconds must pass").hasSize(3);
    pass(SECOND);
    assertThat(seen).containsExactly("a", "b", "b", "b", "c", "d", "e");
    for (int i = 0; i < asks.size(); i++) {
      assertThat(await(asks.get(i)))
          .isEqualTo(new Price(List.of("b", "c", "d", "e").get(i), "client"));
    }
    GuardStatus status = status();
    assertThat(status).isEqualTo(new GuardStatus(State.CLOSED, 0, 0, 0, 5, 2, 0, 0, 0, null));
    assertThat(dead).isEmpty();
  }

  @Test
  void itsListenersAreToldEachChangeOfTheCircuitWhateverOneOfThemThrows() throws Exception {
    List<GuardStateChange> changes = new ArrayList<>();
    ActorRef<Get> guard =
        guard(
            options()
                .openAfter(2)
                .listener(
                    change -> {
                      throw new IllegalStateException("a listener that fails");
                    })
                .listener(changes::add));
    down = true;
    tell(guard, "a");
    pass(Duration.ofMillis(100)); // the guarded actor is restarted
    assertThat(status().state()).isEqualTo(State.OPEN);
    assertThat(seen).as("twice at once").containsExactly("a", "a");
    down = false;
    pass(SECOND);
    assertThat(seen).containsExactly("a", "a", "a");
    assertThat(changes)
        .extracting(GuardStateChange::from, GuardStateChange::to, GuardStateChange::failures)
        .containsExactly(
            tuple(State.CLOSED, State.OPEN, 2L),
            tuple(State.OPEN, State.HALF_OPEN, 2L),
            tuple(State.HALF_OPEN, State.CLOSED, 0L));
    assertThat(changes.get(0).guard()).hasToString("/prices");
    assertThat(changes.get(0).cause()).hasMessageContaining("500");
    assertThat(changes.get(2).cause()).isNull();
    down = true;
    tell(guard, "b");
    pass(SECOND);
    assertThat(status().state()).as("the guard goes on").isEqualTo(State.OPEN);
  }

  @Test
  void aToldMessageIsKeptAndAcknowledgedWithoutAnAnswer() throws Exception {
    ActorRef<Get> guard = guard(options());
    down = true;
    tell(guard, "a", "b");
    down = false;
    pass(SECOND);
    assertThat(seen).containsExactly("a", "a", "b");
    assertThat(status().acknowledged()).isEqualTo(2);
  }

  @Test
  void aReceiverOfTheAnswerAsAMessageGetsIt(Probes probes) throws Exception {
    ActorRef<Get> guard = guard(options());
    Probe<Price> listener = probes.probe(Price.class);
    down = true;
    await(guard.tell(new Get("a"), TellOptions.replyTo(listener.ref())));
    pass(Duration.ZERO);
    down = false;
    pass(SECOND);
    assertThat(listener.expectMessage()).isEqualTo(new Price("a", "client"));
    pass(LONG);
    assertThat(seen).containsExactly("a", "a");
  }

  @Test
  void aPoisonedMessageIsGivenUpAfterItsAttempts() throws Exception {
    ActorRef<Get> guard =
        guard(
            options().attempts(3),
            (client, get) -> {
              seen.add(get.sku());
              if (get.sku().equals("poison")) {
                throw new IllegalStateException("I choke");
              }
              client.answers(get);
              return null;
            });
    Future<Price> poison = ask(guard, "poison");
    Future<Price> next = ask(guard, "next");
    pass(LONG);
    assertThatThrownBy(() -> await(poison))
        .hasMessageContaining("failed 3 times")
        .hasMessageContaining("I choke");
    assertThat(await(next).by()).isEqualTo("client");
    assertThat(seen).containsExactly("poison", "poison", "poison", "next");
    assertThat(dead)
        .singleElement()
        .satisfies(letter -> assertThat(letter.message()).isEqualTo(new Get("poison")));
    assertThat(status().givenUp()).isEqualTo(1);
  }

  @Test
  void overTheLimitTheOldestIsADeadLetterAndItsAskerTold() throws Exception {
    ActorRef<Get> guard = guard(options().limit(3).underWay(1));
    down = true;
    List<Future<Price>> asks = new ArrayList<>();
    for (String sku : List.of("a", "b", "c", "d")) {
      asks.add(ask(guard, sku));
      pass(Duration.ZERO);
    }
    assertCode(() -> await(asks.get(0)), Code.MAILBOX_FULL);
    assertThat(dead)
        .singleElement()
        .satisfies(
            letter ->
                assertThat(letter.cause())
                    .hasMessageContaining("3 messages")
                    .hasMessageContaining("500"));
    down = false;
    pass(SECOND);
    assertThat(await(Future.all(asks.subList(1, 4))).size()).isEqualTo(3);
    assertThat(seen).containsExactly("a", "b", "c", "d");
  }

  @Test
  void theFallbackAnswersMeanwhile() throws Exception {
    ActorRef<Get> guard = guard(options().fallback(get -> new Price(get.sku(), "fallback")));
    down = true;
    Future<Price> tried = ask(guard, "a");
    pass(Duration.ZERO);
    assertThat(await(ask(guard, "b"))).isEqualTo(new Price("b", "fallback"));
    down = false;
    pass(SECOND);
    assertThat(await(tried)).isEqualTo(new Price("a", "client"));
    assertThat(await(ask(guard, "c")).by()).isEqualTo("client");
    assertThat(status().fallback()).isEqualTo(1);
  }

  @Test
  void anActorMayBeTheFallbackAndOneThatFailsIsTold() throws Exception {
    ActorRef<Get> other =
        await(
            callboard.spawn(
                "/other",
                () ->
                    new Client(
                        (client, get) -> {
                          client.answersWhen(Future.succeededFuture(new Price(get.sku(), "other")));
                          return null;
                        })));
    ActorRef<Get> guard = guard(options().fallback(other));
    down = true;
    tell(guard, "a");
    assertThat(await(ask(guard, "b"))).isEqualTo(new Price("b", "other"));
    await(callboard.stop("/prices"));
    ActorRef<Get> broken =
        guard(
            options()
                .fallback(
                    get -> {
                      throw new IllegalStateException("I have none");
                    }));
    tell(broken, "a");
    assertThatThrownBy(() -> await(ask(broken, "b"))).hasMessageContaining("I have none");
  }

  @Test
  void aMessageThatNobodyWaitsForAnyMoreIsNotTriedAgain() throws Exception {
    ActorRef<Get> guard = guard(options());
    down = true;
    Future<Price> asked = guard.ask(new Get("a"), Price.class, Duration.ofMillis(500));
    await(guard.tell(new Get("b"), TellOptions.within(Duration.ofMillis(600))));
    await(guard.tell(new Get("c")));
    pass(SECOND);
    assertCode(() -> await(asked), Code.TIMEOUT);
    assertThat(seen).containsExactly("a", "c");
    assertThat(status().lapsed()).isEqualTo(2);
    assertThat(dead)
        .singleElement()
        .satisfies(letter -> assertThat(letter.message()).isEqualTo(new Get("b")));
  }

  @Test
  void theMessagesThatAGuardKeepsWhenItIsStoppedAreDeadLetters() throws Exception {
    ActorRef<Get> guard = guard(options());
    down = true;
    Future<Price> asked = ask(guard, "a");
    tell(guard, "b");
    await(callboard.stop("/prices"));
    assertCode(() -> await(asked), Code.STOPPED);
    pass(Duration.ZERO);
    assertThat(dead.stream().map(DeadLetter::message)).containsExactly(new Get("a"), new Get("b"));
    pass(LONG);
    assertThat(seen).containsExactly("a");
  }
}
