package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.proxy.ProxyActor;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test that a null argument, or an invalid name of a group, is reported at once, and to whoever
 * waits.
 */
@SuppressWarnings("NullAway") // what a user may do all the same
class BadArgumentsTest {
  private static final Duration LONG = Duration.ofHours(1);

  record Do(String what) {}

  record Done() {}

  @RegisterExtension final Stage stage = new Stage();

  static final class Careless extends ProxyActor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            switch (message.what()) {
              case "answer" -> replyWhen(null);
              case "cause" -> refuse(message, null);
              case "key" -> startTimer(null, LONG, message);
              case "delay" -> startTimer("x", null, message);
              case "watched" -> watch(null, end -> message);
              case "end" -> watch(callboard().ref("/x", Do.class), null);
              case "receiver" -> tell(null, message);
              case "options" -> tell(self(), message, null);
              case "outcome" -> pipeToSelf(Future.succeededFuture(), null);
              default -> refuse(null, new CallboardException(Code.UNAVAILABLE, "closed"));
            }
          });
    }
  }

  static final class Silent extends DurableStateActor<Do, Done> {
    @Override
    protected Done initial() {
      return new Done();
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(Do.class, message -> reply(null));
    }
  }

  @Test
  void anAskerIsToldWhatTheHandlerForgot() throws Exception {
    ActorRef<Do> careless = await(stage.callboard.spawn("/a", Careless::new, Stage.QUICK));
    for (String what : new String[] {"answer", "cause", "message"}) {
      ThrowingCallable ask = () -> await(careless.ask(new Do(what), Done.class, LONG));
      assertThatThrownBy(ask)
          .isInstanceOfSatisfying(
              CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.HANDLER_FAILED))
          .hasMessageContaining("of /a with null: give it the ")
          .hasMessageContaining(what);
    }
  }

  @Test
  void aNullArgumentFailsTheHandler() throws Exception {
    ActorRef<Do> careless = await(stage.callboard.spawn("/a", Careless::new, Stage.QUICK));
    Map<String, String> told =
        Map.of(
            "key", "the key of a timer of /a is null: give",
            "delay", "the time of the timer \"x\" of /a is null: give",
            "watched", "actor is null: give",
            "end", "message is null: give",
            "receiver", "receiver is null: give",
            "options", "options is null: give",
            "outcome", "message is null: give");
    for (Map.Entry<String, String> each : told.entrySet()) {
      ThrowingCallable ask = () -> await(careless.ask(new Do(each.getKey()), Done.class, LONG));
      assertThatThrownBy(ask).hasMessageContaining(each.getValue());
    }
  }

  @Test
  void aNullArgumentFromOutsideFails() throws Exception {
    Callboard callboard = stage.callboard;
    ActorRef<Do> ref = callboard.ref("/nobody", Do.class);
    Do message = new Do("x");
    fails("path", callboard.spawn(null, Careless::new));
    fails("factory", callboard.spawn("/b", null));
    fails("options", callboard.spawn("/b", Careless::new, null));
    fails("path", callboard.host(null, Silent::new, new ActorOptions()));
    fails("factory", callboard.host("/b", null, new ActorOptions()));
    fails("options", callboard.host("/b", Silent::new, null));
    fails("path", callboard.stop(null));
    fails("path", callboard.admin().resume(null));
    fails("options", ref.tell(message, null));
    fails("the type of the answer of /nobody", ref.ask(message, null, LONG));
    fails("the timeout of an ask of /nobody", ref.ask(message, Done.class, null));
    fails("options", Callboard.create(stage.vertx, null));
    fails("vertx", Callboard.create(null, new CallboardOptions()));
    throwsIt("listener", () -> callboard.listen(null));
    throwsIt("listener", () -> callboard.admin().onDeadLetter(null));
    throwsIt("listener", () -> callboard.group("g", Do.class).listen(null));
    throwsIt("protocol", () -> callboard.group("g", null));
    throwsIt("protocol", () -> callboard.ref("/b", null));
    throwsIt("path", () -> callboard.durableRef(null, Do.class));
  }

  private static void fails(String what, Future<?> call) {
    throwsIt(what, () -> await(call));
  }

  private static void throwsIt(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith(what + " is null: give ");
  }

  @Test
  void anAskHasTime() throws Exception {
    await(stage.callboard.spawn("/silent", Silent::new));
    for (ActorRef<Do> asked :
        List.of(
            stage.callboard.ref("/nobody", Do.class),
            stage.callboard.durableRef("/silent", Do.class))) {
      for (Duration none : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
        assertThatThrownBy(() -> await(asked.ask(new Do("x"), Done.class, none)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "the timeout of an ask of %s is %s: give a positive time"
                    .formatted(asked.path(), none));
      }
    }
    assertThat(await(stage.callboard.admin().waiting("/silent", 10)))
        .as("nothing was told")
        .isEmpty();
    assertThatThrownBy(() -> new CallboardOptions().askTimeout(Duration.ZERO))
        .hasMessage("askTimeout must be positive, not PT0S");
    assertThatThrownBy(() -> new CallboardOptions().pendingAsks(0))
        .hasMessage("pendingAsks must be at least 1, not 0");
  }

  @Test
  void anObjectIsStartedOnce() throws Exception {
    Careless same = new Careless();
    ActorRef<Do> first = await(stage.callboard.spawn("/first", () -> same));
    ThrowingCallable second = () -> await(stage.callboard.spawn("/second", () -> same));
    assertCode(second, Code.START_FAILED);
    assertThatThrownBy(() -> await(stage.callboard.spawn("/third", () -> same)))
        .hasMessage(
            "/third could not be started: the factory returned an actor that was started before: make"
                + " a new one each time");
    await(stage.callboard.stop("/second"));
    assertThatThrownBy(() -> await(first.ask(new Do("answer"), Done.class, LONG)))
        .as("the first one runs on")
        .hasMessageContaining("of /first with null");
  }

  @Test
  void onlyDurableActorsAreHosted() {
    assertThatThrownBy(() -> await(stage.callboard.host("/h3", Careless::new, new ActorOptions())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "Careless is not a DurableStateActor or PersistentActor, and only those")
        .hasMessageContaining("below /h3: spawn it");
  }

  @Test
  void anAskerOfAnActorThatWasGivenUpIsToldSo() throws Exception {
    ActorOptions once =
        new ActorOptions().supervision(new SupervisionOptions().intensity(0, Duration.ofDays(1)));
    ActorRef<Do> careless = await(stage.callboard.spawn("/a", Careless::new, once));
    assertCode(() -> await(careless.ask(new Do("key"), Done.class, LONG)), Code.HANDLER_FAILED);
    Eventually.assertThat(
        () ->
            assertThat(stage.callboard.admin().running().result())
                .singleElement()
                .matches(actor -> actor.state() == ActorStatus.State.FAILED));
    ThrowingCallable ask =
        () -> await(careless.ask(new Do("x"), Done.class, Duration.ofMillis(20)));
    assertCode(ask, Code.TIMEOUT);
    assertThatThrownBy(ask)
        .hasMessageContaining("/a is failed (")
        .hasMessageContaining("the key of a timer of /a is null")
        .hasMessageEndingWith("), its mail waits until it is resumed");
  }

  @Test
  void aDurableActorAnswersNobodyWithNull() throws Exception {
    ActorRef<Do> silent = await(stage.callboard.spawn("/silent", Silent::new));
    ThrowingCallable ask = () -> await(silent.ask(new Do("x"), Done.class, LONG));
    assertCode(ask, Code.BAD_MESSAGE);
    assertThatThrownBy(ask)
        .hasMessageContaining("/silent answered with null, and an answer must not be");
  }

  @Test
  void aGroupHasAName() {
    for (String name : new String[] {null, "", "a/b", "x".repeat(101)}) {
      noName(name, () -> new ActorOptions().group(name));
      noName(name, () -> Routers.group(Do.class, name, Routing.roundRobin()));
      noName(name, () -> stage.callboard.group(name, Do.class));
    }
    assertThat(stage.callboard.group("a-b_c.1", Do.class).name()).isEqualTo("a-b_c.1");
  }

  private static void noName(String name, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as("%s", name)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a group name: use 1 to 100 letters");
  }
}
