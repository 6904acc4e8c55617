package io.callboard.testkit;

import static io.callboard.testkit.Stage.assertCode;
import static io.callboard.testkit.Stage.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is given null, or no name of a group, says so at once, and to whoever waits. */
@SuppressWarnings("NullAway") // what a user may do all the same
class BadArgumentsTest {
  private static final Duration LONG = Duration.ofHours(1);

  record Do(String what) {}

  record Done() {}

  private Stage stage;

  @BeforeEach
  void start() throws Exception {
    stage = new Stage();
  }

  @AfterEach
  void stop() throws Exception {
    stage.close();
  }

  static final class Careless extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            switch (message.what()) {
              case "answer" -> replyWhen(null);
              case "cause" -> refuse(message, null);
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
  void whoAskedIsToldWhatItsHandlerForgot() throws Exception {
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
  void aDurableActorAnswersNobodyWithNull() throws Exception {
    ActorRef<Do> silent = await(stage.callboard.spawn("/silent", Silent::new));
    ThrowingCallable ask = () -> await(silent.ask(new Do("x"), Done.class, LONG));
    assertCode(ask, Code.BAD_MESSAGE);
    assertThatThrownBy(ask).hasMessageContaining("/silent answers with null, and no answer may be");
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
        .hasMessageContaining("is not the name of a group: use 1 to 100 letters");
  }
}
