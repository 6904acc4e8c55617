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
import io.callboard.codecs.Json;
import io.callboard.codecs.Named;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages and states that lack what their types say must be there. */
@ExtendWith(CallboardExtension.class)
class IncompleteMessagesTest {
  private static final String PATH = "/desk";

  private Callboard callboard;
  private ActorRef<Command> desk;

  sealed interface Command {
    record Note(String text, @Nullable String by) implements Command {}

    /** Becomes that, whatever it is. */
    record Become(@Nullable String text) implements Command {}

    /** Makes the actor tell itself a note of that text. */
    record Pass(@Nullable String text) implements Command {}

    record Look() implements Command {}
  }

  record Kept(String text) {}

  /** Note of an older program, without the later fields. */
  @Named("note")
  record OlderNote(@Nullable String by) {}

  static final class Desk extends DurableStateActor<Command, Kept> {
    @Override
    protected Kept initial() {
      return new Kept("nothing");
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(Command.Note.class, note -> update(new Kept(note.text())))
          .message(Command.Become.class, become -> update(new Kept(become.text())))
          .message(Command.Pass.class, pass -> tell(self(), new Command.Note(pass.text(), null)))
          .message(Command.Look.class, look -> reply(state()));
    }
  }

  @BeforeEach
  void start(Callboard given) throws Exception {
    callboard = given;
    Backoff backoff =
        Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(2), Backoff.Jitter.FULL);
    desk = await(callboard.spawn(PATH, Desk::new, new ActorOptions().attempts(1).backoff(backoff)));
  }

  private String state() {
    return await(desk.ask(new Command.Look(), Kept.class)).text();
  }

  private JsonNode parked() {
    List<StoredParked> parked;
    parked = await(callboard.admin().parked(10));
    assertThat(parked).hasSize(1);
    return Json.parse("it", parked.get(0).bytes());
  }

  private String cause() {
    Eventually.assertThat(() -> assertThat(parked().has("cause")).isTrue());
    return parked().path("cause").asText();
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE))
        .hasMessageContaining(why);
  }

  @Test
  void aStoredMessageThatLacksAFieldIsParkedAndItsAskerTold() throws Exception {
    ActorRef<OlderNote> older = callboard.durableRef(PATH, OlderNote.class);
    String why = "\"text\" of Note must be there, but is missing or null";
    refused(() -> await(older.ask(new OlderNote("Ada"), Kept.class)), why);
    assertThat(cause()).contains("message \"note\" of Command cannot be read: " + why);
    assertThat(parked().at("/envelope/b/by").asText()).isEqualTo("Ada");
    assertThat(state()).isEqualTo("nothing");
    await(
        callboard
            .admin()
            .replay(
                PATH,
                await(callboard.admin().parked(1)).get(0).id(),
                Json.tree(new Command.Note("filled in", "Ada"))));
    Eventually.assertThat(() -> assertThat(stateOrFail()).isEqualTo("filled in"));
  }

  private String stateOrFail() {
    return state();
  }

  @Test
  void anIncompleteMessageIsRefusedToItsSenderAndNotSent() throws Exception {
    Command.Note incomplete = new Command.Note(null, "Ada");
    String why = "text of Note is null, but not @Nullable";
    refused(() -> await(desk.tell(incomplete)), why);
    refused(() -> await(desk.ask(incomplete, Kept.class)), why);
    assertThat(state()).isEqualTo("nothing");
    assertThat(await(callboard.admin().parked(10))).isEmpty();
  }

  @Test
  void inATurnItsHandlerFails() throws Exception {
    await(desk.tell(new Command.Pass(null)));
    assertThat(cause()).contains("text of Note is null, but not @Nullable");
    await(desk.tell(new Command.Pass("whole")));
    Eventually.assertThat(() -> assertThat(stateOrFail()).isEqualTo("whole"));
  }

  @Test
  void aStateThatCouldNotBeReadAgainIsNotWritten() throws Exception {
    await(desk.tell(new Command.Note("before", null)));
    await(desk.tell(new Command.Become(null)));
    assertThat(cause()).contains("text of Kept is null, but not @Nullable");
    assertThat(state()).isEqualTo("before");
    await(callboard.stop(PATH));
    desk = await(callboard.spawn(PATH, Desk::new));
    assertThat(state()).as("read again").isEqualTo("before");
  }
}
