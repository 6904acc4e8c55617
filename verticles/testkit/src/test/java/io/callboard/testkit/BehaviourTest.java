package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Finite state machines: actors that change their behaviour. */
class BehaviourTest {
  sealed interface Door {
    record Open() implements Door {}

    record Close() implements Door {}

    record Knock() implements Door {}
  }

  record Said(String text) {}

  @RegisterExtension final Stage stage = new Stage();

  private static String ask(ActorRef<Door> door, Door message) throws Exception {
    return await(door.ask(message, Said.class)).text();
  }

  static final class VolatileDoor extends Actor<Door> {
    @Override
    protected void protocol(Protocol<Door> on) {
      closed(on);
    }

    private void closed(Protocol<Door> on) {
      on.message(
              Door.Open.class,
              open -> {
                become(this::open);
                reply(new Said("opens"));
              })
          .others(other -> reply(new Said("is closed")));
    }

    private void open(Protocol<Door> on) {
      on.message(
              Door.Close.class,
              close -> {
                become(this::closed);
                reply(new Said("closes"));
              })
          .message(
              Door.Knock.class,
              knock -> {
                throw new IllegalStateException("broken");
              })
          .message(Door.Open.class, open -> become(incomplete()));
    }

    private Consumer<Protocol<Door>> incomplete() {
      return on -> on.message(Door.Open.class, open -> {});
    }
  }

  @Test
  void aVolatileActorBecomesAnother() throws Exception {
    ActorRef<Door> door = await(stage.callboard.spawn("/door", VolatileDoor::new, QUICK));
    assertThat(ask(door, new Door.Knock())).isEqualTo("is closed");
    assertThat(ask(door, new Door.Open())).isEqualTo("opens");
    assertThat(ask(door, new Door.Close())).isEqualTo("closes");
    assertThat(ask(door, new Door.Open())).isEqualTo("opens");
    assertCode(() -> ask(door, new Door.Knock()), Code.HANDLER_FAILED);
    assertThat(ask(door, new Door.Close())).as("a restart forgets").isEqualTo("is closed");
    assertThat(ask(door, new Door.Open())).isEqualTo("opens");
    assertThatThrownBy(() -> ask(door, new Door.Open()))
        .hasMessageContaining("VolatileDoor does not handle [Close, Knock] of its protocol Door");
  }

  sealed interface State {
    record Closed(int knocks) implements State {}

    record Opened() implements State {}
  }

  static final class DurableDoor extends DurableStateActor<Door, State> {
    @Override
    protected State initial() {
      return new State.Closed(0);
    }

    @Override
    protected void protocol(Protocol<Door> on) {
      on.others(other -> reply(new Said("is " + state().getClass().getSimpleName())));
    }

    @Override
    protected void protocol(State state, Protocol<Door> on) {
      if (state instanceof State.Closed) {
        on.message(Door.Open.class, open -> update(new State.Opened()))
            .message(
                Door.Knock.class,
                knock -> {
                  int knocks = ((State.Closed) state()).knocks() + 1;
                  update(new State.Closed(knocks));
                  reply(new Said("knocked " + knocks));
                });
      }
      protocol(on);
    }

    @SuppressWarnings("unused")
    void becomes() {
      become(on -> {});
    }
  }

  @Test
  void aDurableActorBehavesByItsStateAlsoAfterARestart() throws Exception {
    ActorRef<Door> door = await(stage.callboard.spawn("/door", DurableDoor::new, QUICK));
    assertThat(ask(door, new Door.Close())).isEqualTo("is Closed");
    assertThat(ask(door, new Door.Knock())).isEqualTo("knocked 1");
    assertThat(ask(door, new Door.Knock())).isEqualTo("knocked 2");
    await(door.tell(new Door.Open()));
    assertThat(ask(door, new Door.Knock())).isEqualTo("is Opened");
    await(stage.callboard.stop("/door"));
    door = await(stage.callboard.spawn("/door", DurableDoor::new, QUICK));
    assertThat(ask(door, new Door.Open())).isEqualTo("is Opened");
    assertThatThrownBy(() -> new DurableDoor().becomes()).isInstanceOf(IllegalStateException.class);
  }
}
