package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages and states that could be written, but never be read again. */
@ExtendWith(CallboardExtension.class)
class UnreadableMessagesTest {
  private static final String PATH = "/shelf";

  /** Deepest JSON for a field of a message or state, which has one level itself. */
  private static final JsonNode DEEPEST = deep(89);

  private static final JsonNode TOO_DEEP = deep(90);
  private static final String WHY = "cannot be read back: it is nested deeper than 90 levels";

  private Callboard callboard;
  private ActorRef<Command> shelf;

  sealed interface Command {
    record Put(JsonNode value) implements Command {}

    /** Makes the actor store the value within as many levels. */
    record Wrap(JsonNode value, int levels) implements Command {}

    /** Makes the actor tell itself to store the value within one more level. */
    record Pass(JsonNode value) implements Command {}

    record Fail(JsonNode value) implements Command {}

    record Look() implements Command {}
  }

  record Kept(JsonNode value) {}

  static final class Shelf extends DurableStateActor<Command, Kept> {
    @Override
    protected Kept initial() {
      return new Kept(deep(1));
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(Command.Put.class, put -> update(new Kept(put.value())))
          .message(
              Command.Wrap.class, wrap -> update(new Kept(wrapped(wrap.value(), wrap.levels()))))
          .message(
              Command.Pass.class, pass -> tell(self(), new Command.Put(wrapped(pass.value(), 1))))
          .message(
              Command.Fail.class,
              fail -> {
                throw new IllegalStateException("as it was told");
              })
          .message(Command.Look.class, look -> reply(state()));
    }
  }

  private static JsonNode deep(int levels) {
    String json = "[".repeat(levels) + "]".repeat(levels);
    return Json.parse("it", json.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode wrapped(JsonNode value, int levels) {
    JsonNode outer = value;
    for (int i = 0; i < levels; i++) {
      outer = Json.uncheckedTree(List.of(outer));
    }
    return outer;
  }

  @BeforeEach
  void start(Callboard given) throws Exception {
    callboard = given;
    shelf = spawn();
  }

  private ActorRef<Command> spawn() throws Exception {
    Backoff backoff =
        Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(2), Backoff.Jitter.FULL);
    ActorOptions options = new ActorOptions().attempts(1).backoff(backoff);
    return await(callboard.spawn(PATH, Shelf::new, options));
  }

  private JsonNode state() {
    return await(shelf.ask(new Command.Look(), Kept.class)).value();
  }

  private StoredParked parked() {
    List<StoredParked> parked;
    parked = await(callboard.admin().parked(10));
    assertThat(parked).hasSize(1);
    return parked.get(0);
  }

  private void isParked(String why) {
    Eventually.assertThat(
        () -> assertThat(Json.parse("it", parked().bytes()).path("cause").asText()).contains(why));
  }

  private static void refused(ThrowingCallable call, String type) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE))
        .hasMessageContaining(type + ") " + WHY);
  }

  @Test
  void anUnreadableMessageIsRefusedToItsSenderAndNotSent() throws Exception {
    Command.Put tooDeep = new Command.Put(TOO_DEEP);
    refused(() -> await(shelf.tell(tooDeep)), "Command$Put");
    refused(() -> await(shelf.ask(tooDeep, Kept.class)), "Command$Put");
    assertThat(state()).isEqualTo(deep(1));
    assertThat(await(callboard.admin().parked(10))).isEmpty();
  }

  @Test
  void inATurnItsHandlerFails() throws Exception {
    await(shelf.tell(new Command.Pass(DEEPEST)));
    isParked("Command$Put) " + WHY);
    await(shelf.tell(new Command.Pass(deep(88))));
    Eventually.assertThat(() -> assertThat(state()).isEqualTo(DEEPEST));
  }

  @Test
  void aStateIsNotWrittenAndTheDeepestIsReadAgain() throws Exception {
    await(shelf.tell(new Command.Wrap(deep(1), 88)));
    await(shelf.tell(new Command.Wrap(deep(1), 89)));
    isParked("Kept) " + WHY);
    assertThat(state()).isEqualTo(DEEPEST);
    await(callboard.stop(PATH));
    shelf = spawn();
    assertThat(state()).as("read again").isEqualTo(DEEPEST);
  }

  @Test
  void theDeepestMessageIsParkedAndReplayed() throws Exception {
    await(shelf.tell(new Command.Fail(DEEPEST)));
    isParked("as it was told");
    JsonNode stored = Json.parse("it", parked().bytes());
    assertThat(stored.at("/envelope/b/value")).isEqualTo(DEEPEST);
    String id = parked().id();
    JsonNode tooDeep = Json.uncheckedTree(new Command.Fail(TOO_DEEP));
    assertThatThrownBy(() -> await(callboard.admin().replay(PATH, id, tooDeep)))
        .isInstanceOf(CodecException.class)
        .hasMessage("the body " + WHY);
    assertThat(parked().id()).isEqualTo(id);
    await(callboard.admin().replay(PATH, id));
    Eventually.assertThat(() -> assertThat(parked().id()).isNotEqualTo(id));
    assertThat(Json.parse("it", parked().bytes()).at("/envelope/b/value")).isEqualTo(DEEPEST);
  }
}
