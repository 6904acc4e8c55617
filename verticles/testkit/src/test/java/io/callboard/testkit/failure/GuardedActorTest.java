package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.guard.GuardStatus.State;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Test of how a guarded actor may treat a message, and how it may end. */
class GuardedActorTest extends GuardStage {
  private static final ActorOptions QUIET = new ActorOptions().onBus(false);

  @Test
  void aHandlerThatHangsIsEndedAtTheDeadline() throws Exception {
    List<Promise<Void>> hanging = Collections.synchronizedList(new ArrayList<>());
    ActorRef<Get> guard =
        guard(
            options(),
            (client, get) -> {
              seen.add(get.sku());
              if (down) {
                Promise<Void> hangs = Promise.promise();
                hanging.add(hangs);
                return hangs.future();
              }
              client.answers(get);
              return null;
            });
    down = true;
    Future<Price> first = ask(guard, "a");
    Future<Price> second = ask(guard, "b");
    pass(SECOND.multipliedBy(2));
    assertThat(status().state()).isEqualTo(State.OPEN);
    down = false;
    pass(SECOND);
    assertThat(await(first).by()).isEqualTo("client");
    assertThat(await(second).by()).isEqualTo("client");
    assertThat(seen).containsExactly("a", "a", "b");
    hanging.forEach(Promise::complete);
    pass(LONG);
    assertThat(seen).hasSize(3);
    assertThat(dead).isEmpty();
  }

  @Test
  void anAnswerThatNeverComesIsAFailureAndALateOneIsTaken() throws Exception {
    List<Promise<Price>> answers = Collections.synchronizedList(new ArrayList<>());
    ActorRef<Get> guard =
        guard(
            options(),
            (client, get) -> {
              seen.add(get.sku());
              Promise<Price> answer = Promise.promise();
              answers.add(answer);
              client.answersWhen(answer.future());
              return null;
            });
    Future<Price> asked = ask(guard, "a");
    pass(SECOND.multipliedBy(2));
    assertThat(status().failures()).isEqualTo(1);
    answers.get(0).complete(new Price("a", "late"));
    assertThat(await(asked).by()).isEqualTo("late");
    assertThat(status().state()).as("it was too late").isEqualTo(State.OPEN);
    pass(SECOND);
    assertThat(seen).as("it is not tried again").containsExactly("a");
    assertThat(status().state()).isEqualTo(State.HALF_OPEN);
    Future<Price> failing = ask(guard, "b");
    pass(Duration.ZERO);
    answers.get(1).fail("503");
    assertThat(status().failures()).isEqualTo(2);
    pass(SECOND.multipliedBy(2));
    answers.get(2).complete(new Price("b", "client"));
    assertThat(await(failing).by()).isEqualTo("client");
    assertThat(status().state()).isEqualTo(State.CLOSED);
    assertThat(dead).as("a failed attempt is none").isEmpty();
  }

  @Test
  void aRefusedMessageIsNotTriedAgainAndOpensNothing() throws Exception {
    ActorRef<Get> guard =
        guard(
            options(),
            (client, get) -> {
              seen.add(get.sku());
              client.refuses(get);
              return null;
            });
    assertCode(() -> await(ask(guard, "a")), Code.BAD_MESSAGE);
    assertThat(status().state()).isEqualTo(State.CLOSED);
    assertThat(status().acknowledged()).isEqualTo(1);
    assertThat(dead).hasSize(1);
    pass(LONG);
    assertThat(seen).containsExactly("a");
  }

  private static final class Hesitant extends Actor<Get> {
    private final Future<?> mayStart;

    Hesitant(Future<?> mayStart) {
      this.mayStart = mayStart;
    }

    @Override
    protected void protocol(Protocol<Get> on) {
      on.message(Get.class, get -> reply(new Price(get.sku(), "hesitant")));
    }

    @Override
    protected Future<?> started() {
      return mayStart;
    }
  }

  @Test
  void aGuardIsThereBeforeWhomItGuards() throws Exception {
    Promise<Void> mayStart = Promise.promise();
    Future<ActorRef<Get>> spawned =
        callboard.spawn(
            "/prices", Guard.of(() -> new Hesitant(mayStart.future()), options()), QUIET);
    pass(Duration.ZERO);
    assertThat(spawned.isComplete()).isFalse();
    pass(SECOND.multipliedBy(2));
    Future<Price> asked = ask(await(spawned), "a");
    pass(SECOND);
    assertThat(status().held()).isEqualTo(1);
    mayStart.complete();
    assertThat(await(asked).by()).isEqualTo("hesitant");
  }

  @Test
  void aMessagePassedOnIsAnsweredByTheOther() throws Exception {
    ActorRef<Get> other = await(callboard.spawn("/other", () -> new Client(this::answered)));
    ActorRef<Get> guard =
        guard(
            options(),
            (client, get) -> {
              client.passesOn(other, get);
              return null;
            });
    assertThat(await(ask(guard, "a")).by()).isEqualTo("client");
    assertThat(status().acknowledged()).isEqualTo(1);
  }

  private @Nullable Future<?> answered(Client client, Get get) {
    client.answers(get);
    return null;
  }

  @Test
  void anActorThatStoppedIsReplacedAndNothingIsLost() throws Exception {
    ActorRef<Get> guard =
        guard(
            options(),
            (client, get) -> {
              seen.add(get.sku());
              if (down) {
                client.stops();
                return null;
              }
              client.answers(get);
              return null;
            });
    down = true;
    tell(guard, "a", "b", "c");
    down = false;
    pass(LONG);
    assertThat(seen).containsExactly("a", "b", "c");
    assertThat(status().state()).isEqualTo(State.CLOSED);
    assertThat(status().acknowledged()).isEqualTo(3);
    assertThat(dead).isEmpty();
  }

  @Test
  void anActorThatItsSupervisorGaveUpGetsItsMailWhenItIsResumed() throws Exception {
    GuardOptions<Get> options =
        options()
            .actor(new ActorOptions().supervision(new SupervisionOptions().intensity(0, LONG)));
    ActorRef<Get> guard = guard(options);
    down = true;
    tell(guard, "a", "b");
    pass(LONG);
    assertThat(seen).containsExactly("a");
    assertThat(status().state()).isNotEqualTo(State.CLOSED);
    assertThat(status().givenUp()).as("no attempt is charged").isZero();
    down = false;
    await(callboard.admin().resume("/prices/guarded"));
    pass(Duration.ofSeconds(10));
    assertThat(seen).containsExactly("a", "a", "b");
  }

  @Test
  void guardsMayGuardGuards() throws Exception {
    down = true;
    GuardOptions<Get> once = options().attempts(1);
    ActorRef<Get> guard =
        await(
            callboard.spawn(
                "/prices",
                Guard.of(
                    Guard.of(
                        () ->
                            new Client(
                                (client, get) -> {
                                  seen.add(get.sku());
                                  if (down) {
                                    throw new IllegalStateException("500");
                                  }
                                  client.answers(get);
                                  return null;
                                }),
                        once),
                    options())));
    Future<Price> asked = ask(guard, "a");
    pass(Duration.ZERO);
    assertThat(status().failures()).isEqualTo(1);
    down = false;
    pass(SECOND);
    assertThat(await(asked).by()).isEqualTo("client");
    assertThat(seen).containsExactly("a", "a");
  }
}
