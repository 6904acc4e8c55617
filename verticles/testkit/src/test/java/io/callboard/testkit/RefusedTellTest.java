package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
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
import io.callboard.codecs.Json;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Test that the error for a message that cannot be sent, or stored, names the message and its
 * receiver.
 */
@ExtendWith(CallboardExtension.class)
class RefusedTellTest {
  private static final ActorOptions QUICK = new ActorOptions(Stage.QUICK).attempts(1);

  record Grow(int chars) {}

  record Text(String text) {}

  /** Actor whose state is a text of the requested length; below zero it tells itself null. */
  static final class Note extends DurableStateActor<Grow, Text> {
    @Override
    protected Text initial() {
      return new Text("");
    }

    @Override
    protected void protocol(Protocol<Grow> on) {
      on.message(
          Grow.class,
          grow -> {
            if (grow.chars() < 0) {
              tell(self(), nothing());
            }
            update(new Text("x".repeat(grow.chars())));
            reply(new Grow(state().text().length()));
          });
    }
  }

  static final class Sender extends Actor<Grow> {
    @Override
    protected void protocol(Protocol<Grow> on) {
      on.message(Grow.class, grow -> tell(self(), nothing()));
    }
  }

  private Callboard callboard;

  /** Returns null, as a careless caller would pass. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @BeforeEach
  void start(Callboard given) {
    callboard = given;
  }

  private static void refused(Future<?> future, String path) {
    assertThatThrownBy(() -> await(future))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE))
        .hasMessage("the message to " + path + " is null: tell an object of its protocol");
  }

  @Test
  void nullIsNoMessage() throws Exception {
    ActorRef<Grow> durable = await(callboard.spawn("/note", Note::new));
    ActorRef<Grow> here = await(callboard.spawn("/sender", Sender::new));
    ActorRef<Grow> nowhere = callboard.ref("/nowhere", Grow.class);
    for (ActorRef<Grow> ref : List.of(durable, here, nowhere)) {
      refused(ref.tell(nothing()), ref.path().toString());
      refused(ref.ask(nothing(), Grow.class), ref.path().toString());
    }
    assertThat(await(durable.ask(new Grow(2), Grow.class))).isEqualTo(new Grow(2));
  }

  @Test
  void anActorThatTellsNothingFailsWithThatCause() throws Exception {
    ActorRef<Grow> durable = await(callboard.spawn("/note", Note::new, QUICK));
    ActorRef<Grow> here = await(callboard.spawn("/sender", Sender::new, QUICK));
    for (ActorRef<Grow> ref : List.of(durable, here)) {
      assertThatThrownBy(() -> await(ref.ask(new Grow(-1), Grow.class)))
          .isInstanceOf(CallboardException.class)
          .hasMessageContaining("the message to " + ref.path() + " is null");
    }
  }

  @Test
  void aStateThatIsTooLargeIsCalledAState() throws Exception {
    ActorRef<Grow> note = await(callboard.spawn("/note", Note::new, QUICK));
    await(note.tell(new Grow(1 << 20)));
    Eventually.assertThat(
        () -> {
          assertThat(await(callboard.admin().parked(10)))
              .singleElement()
              .satisfies(
                  parked ->
                      assertThat(Json.parse("it", parked.bytes()).path("cause").asText())
                          .contains("the state of /note with its record takes 104")
                          .contains("the limit is 786432"));
        });
    assertThat(await(note.ask(new Grow(3), Grow.class))).isEqualTo(new Grow(3));
  }

  @Test
  void anActorsConfigurationIsAnObject() {
    DeploymentOptions wrong =
        new DeploymentOptions().setConfig(new JsonObject().put("actor", "/note"));
    assertThatThrownBy(() -> await(callboard.vertx().deployVerticle(new Sender(), wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"actor\" takes an object of actor options")
        .hasMessageEndingWith("not /note");
  }
}
