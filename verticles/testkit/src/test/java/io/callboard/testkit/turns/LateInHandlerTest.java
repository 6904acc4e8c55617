package io.callboard.testkit.turns;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A handler that completes what an earlier turn waits for runs that one's callbacks inside itself:
 * what they call is none of its turn.
 */
class LateInHandlerTest {
  @RegisterExtension final Stage stage = new Stage();

  sealed interface Ask {
    /** Goes on when another message comes, in a turn that does not wait for it. */
    record Forgets() implements Ask {}

    /** Completes what the other waits for. */
    record Completes() implements Ask {}

    /** Answers with what became of it. */
    record Look() implements Ask {}
  }

  record Said(String what) {}

  private final Promise<Void> promise = Promise.promise();

  private final class Durable extends DurableStateActor<Ask, Said> {
    @Override
    protected Said initial() {
      return new Said("nothing");
    }

    @Override
    protected void protocol(Protocol<Ask> on) {
      on.async(Ask.Forgets.class, ask -> forgets())
          .message(
              Ask.Completes.class,
              ask -> {
                promise.complete();
                reply(state());
              })
          .message(Ask.Look.class, ask -> reply(state()));
    }

    private Future<?> forgets() {
      var unused =
          inTurn(promise.future())
              .onSuccess(
                  done -> {
                    update(new Said("late"));
                    reply(state());
                  });
      return Future.succeededFuture();
    }
  }

  private final class Volatile extends Actor<Ask> {
    @Override
    protected void protocol(Protocol<Ask> on) {
      on.async(Ask.Forgets.class, ask -> forgets())
          .async(
              Ask.Completes.class,
              ask -> {
                promise.complete();
                reply(new Said("nothing"));
                return Future.succeededFuture();
              })
          .message(Ask.Look.class, ask -> reply(new Said("nothing")));
    }

    private Future<?> forgets() {
      var unused = inTurn(promise.future()).onSuccess(done -> reply(new Said("late")));
      return Future.succeededFuture();
    }
  }

  private void isRefused(ActorRef<Ask> actor) throws Exception {
    await(actor.tell(new Ask.Forgets()));
    // the answer follows the commit of the turn before; else a new life could handle it once more
    await(actor.ask(new Ask.Look(), Said.class));
    Future<Said> answer = actor.ask(new Ask.Completes(), Said.class);
    assertThatThrownBy(() -> await(answer))
        .as("nobody knows whose call it was")
        .hasMessageContaining("outside of a turn")
        .hasMessageContaining("the turn of Forgets, which made the call, has ended");
    assertThat(await(actor.ask(new Ask.Look(), Said.class)).what()).isEqualTo("nothing");
  }

  @Test
  void inADurableActor() throws Exception {
    isRefused(
        await(
            stage.callboard.spawn(
                "/durable", () -> new Durable(), new ActorOptions(Stage.QUICK).attempts(1))));
  }

  @Test
  void inAVolatileActor() throws Exception {
    isRefused(await(stage.callboard.spawn("/volatile", () -> new Volatile())));
  }
}
