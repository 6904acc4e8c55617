package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test that a state cannot be changed where no turn is open: it would be taken for durable, and be
 * in no store.
 */
class UpdateOutsideTest {
  @RegisterExtension final Stage stage = new Stage();

  record Change(boolean later) {}

  record Count(int n) {}

  /** Changes its state in its handler, or after it. */
  static final class Counter extends DurableStateActor<Change, Count> {
    private final Stage stage;
    private final boolean atStart;

    Counter(Stage stage, boolean atStart) {
      this.stage = stage;
      this.atStart = atStart;
    }

    @Override
    protected Count initial() {
      return new Count(1);
    }

    @Override
    protected Future<?> started() {
      if (atStart) {
        update(new Count(99));
      }
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Change> on) {
      on.message(
          Change.class,
          change -> {
            if (change.later()) {
              vertx.runOnContext(v -> late());
            }
            reply(state());
          });
    }

    private void late() {
      try {
        update(new Count(99));
        stage.sees("accepted");
      } catch (IllegalStateException e) {
        stage.sees(String.valueOf(e.getMessage()));
      }
    }
  }

  @Test
  void anUpdateAfterItsHandlerIsRefusedAndTheStateIsThatOfTheLastTurn() throws Exception {
    ActorRef<Change> ref =
        await(stage.callboard.spawn("/counter", () -> new Counter(stage, false)));
    assertThat(await(ref.ask(new Change(true), Count.class)).n()).isEqualTo(1);
    assertThat(stage.next()).as("late update").contains("update of /counter outside of a turn");
    assertThat(await(ref.ask(new Change(false), Count.class)).n()).as("state").isEqualTo(1);
  }

  @Test
  void anUpdateInTheStartFailsIt() {
    assertThatThrownBy(
            () -> await(stage.callboard.spawn("/counter", () -> new Counter(stage, true))))
        .hasMessageContaining("update of /counter outside of a turn");
    assertThatThrownBy(() -> TestedActor.of(() -> new Counter(stage, true)).start())
        .as("in a unit test")
        .hasMessageContaining("update of /tested outside of a turn");
  }
}
