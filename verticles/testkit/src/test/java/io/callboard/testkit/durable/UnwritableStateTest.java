package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.StoredParked;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A state that cannot be written because its class throws an error is that message's failure. */
class UnwritableStateTest {
  @RegisterExtension final Stage stage = new Stage();

  record Add(int grams) {}

  /** Cannot be written when negative. */
  record Weight(int grams) {
    @Override
    public int grams() {
      if (grams < 0) {
        throw new StackOverflowError("nested too deep");
      }
      return grams;
    }
  }

  /** Actor that takes each message as its state. */
  static final class Scale extends DurableStateActor<Add, Weight> {
    @Override
    protected Weight initial() {
      return new Weight(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            update(new Weight(add.grams()));
            reply(add);
          });
    }
  }

  @Test
  void anErrorOfTheStatesClassParksItsMessageAndTheNextIsHandled() throws Exception {
    ActorRef<Add> ref = stage.callboard.durableRef("/scale", Add.class);
    await(ref.tell(new Add(-1)));
    await(stage.callboard.spawn("/scale", Scale::new, new ActorOptions(QUICK).attempts(2)));
    // before the next message: of turns that commit together only the last state is written
    Eventually.assertThat(
        () ->
            assertThat(
                    stage
                        .callboard
                        .admin()
                        .parked(10)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join())
                .extracting(StoredParked::actor)
                .map(Object::toString)
                .containsExactly("/scale"));
    assertThat(await(ref.ask(new Add(2), Add.class)).grams()).isEqualTo(2);
  }
}
