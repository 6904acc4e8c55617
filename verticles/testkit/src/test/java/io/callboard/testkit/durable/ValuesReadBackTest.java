package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that states, events, messages and replies are read as they were written, or refused. */
class ValuesReadBackTest {
  /** Interface of which there may be classes that it does not name. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Known.class, name = "known"))
  interface Shape {}

  record Known(int n) implements Shape {}

  record Strange(int n) implements Shape {}

  record Values(
      ZonedDateTime zoned,
      OffsetDateTime offset,
      double zero,
      Map<String, @Nullable String> nulls,
      Set<String> order,
      List<Shape> shapes) {
    static Values of(Shape... shapes) {
      Map<String, @Nullable String> nulls = new HashMap<>();
      nulls.put("a", null);
      LocalDateTime twice = LocalDateTime.of(2026, 10, 25, 2, 30);
      return new Values(
          twice.atZone(ZoneId.of("Europe/Berlin")).withLaterOffsetAtOverlap(),
          twice.atOffset(ZoneOffset.ofHoursMinutes(5, 45)),
          -0.0,
          nulls,
          new LinkedHashSet<>(List.of("z", "y", "a")),
          List.of(shapes));
    }
  }

  sealed interface Command {
    record Put(Values values) implements Command {}

    record PutStrange() implements Command {}

    record Get() implements Command {}
  }

  /** Declares the messages of both actors. */
  private static void declare(Protocol<Command> on, Consumer<Values> change, Runnable tell) {
    on.message(Command.Put.class, put -> change.accept(put.values()))
        .message(Command.PutStrange.class, put -> change.accept(Values.of(new Strange(1))))
        .message(Command.Get.class, get -> tell.run());
  }

  static final class Keeper extends DurableStateActor<Command, Values> {
    @Override
    protected Values initial() {
      return Values.of();
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      declare(on, this::change, () -> reply(state()));
    }

    private void change(Values values) {
      update(values);
      reply(values);
    }
  }

  static final class Journal extends PersistentActor<Command, Values, Values> {
    @Override
    protected Values initial() {
      return Values.of();
    }

    @Override
    protected Values apply(Values state, Values event) {
      return event;
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      declare(on, this::change, () -> reply(state()));
    }

    private void change(Values values) {
      persist(values);
      reply(values);
    }
  }

  @RegisterExtension final Stage stage = new Stage();

  static Stream<Supplier<Actor<Command>>> actors() {
    return Stream.of(Keeper::new, Journal::new);
  }

  private ActorRef<Command> spawn(Supplier<Actor<Command>> actor) {
    return await(stage.callboard.spawn("/a", actor, new ActorOptions(Stage.QUICK).attempts(1)));
  }

  private Values afterARestart(Supplier<Actor<Command>> actor) {
    stage.restart();
    return await(spawn(actor).ask(new Command.Get(), Values.class));
  }

  @ParameterizedTest
  @MethodSource("actors")
  void statesEventsMessagesAndRepliesAreReadAsTheyWereWritten(Supplier<Actor<Command>> actor) {
    Values values = Values.of(new Known(1));
    ActorRef<Command> keeper = spawn(actor);
    assertThat(await(keeper.ask(new Command.Put(values), Values.class))).isEqualTo(values);
    assertThat(afterARestart(actor)).isEqualTo(values).hasToString(values.toString());
  }

  @ParameterizedTest
  @MethodSource("actors")
  void valuesThatCouldNotBeReadBackAreNeitherCommittedNorAnswered(Supplier<Actor<Command>> actor) {
    ActorRef<Command> keeper = spawn(actor);
    String why = Strange.class.getName() + " could not be read back: @JsonSubTypes of ";
    assertThatThrownBy(() -> await(keeper.ask(new Command.PutStrange(), Values.class)))
        .hasMessageContaining(why);
    ThrowingCallable sent = () -> await(keeper.tell(new Command.Put(Values.of(new Strange(1)))));
    assertCode(sent, Code.BAD_MESSAGE);
    assertThatThrownBy(sent).hasMessageContaining(why);
    assertThat(afterARestart(actor)).isEqualTo(Values.of());
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  sealed interface Unnamed {
    record One(int n) implements Unnamed {}
  }

  record WithUnnamed(List<Unnamed> all) {}

  static final class UnnamedState extends DurableStateActor<Command, WithUnnamed> {
    @Override
    protected WithUnnamed initial() {
      return new WithUnnamed(List.of());
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(Command.Get.class, get -> reply(state()));
    }
  }

  @Test
  void aTypeWithoutNamesIsRefusedAtTheStart() {
    assertThatThrownBy(() -> await(stage.callboard.spawn("/b", UnnamedState::new)))
        .hasMessageContaining("\"all[]\" is a " + Unnamed.class.getName())
        .hasMessageContaining("add @JsonSubTypes with a name for each");
  }
}
