package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test that a value which a durable actor could not read after a restart is refused before it is
 * written.
 */
class NeverReadBackTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  sealed interface Command {
    record Run(List<Runnable> all) implements Command {}

    record Keep(Object what) implements Command {}

    /** Makes the actor tell itself a message, in a turn or by a timer. */
    record Pass(boolean byTimer) implements Command {}

    record Pipe() implements Command {}

    /** Message that the actor only tells itself, in memory. */
    record Outcome(AsyncResult<String> of) implements Command {}
  }

  record Nothing() {}

  record Task(Runnable then) {}

  @RegisterExtension final Stage stage = new Stage();

  private final class Runner extends DurableStateActor<Command, Nothing> {
    @Override
    protected Nothing initial() {
      return new Nothing();
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(Command.Run.class, run -> run.all().forEach(Runnable::run))
          .message(Command.Keep.class, keep -> stage.sees("keep " + keep.what()))
          .message(Command.Pass.class, this::pass)
          .message(
              Command.Pipe.class,
              pipe -> pipeToSelf(Future.succeededFuture("piped"), Command.Outcome::new))
          .message(Command.Outcome.class, outcome -> stage.sees(outcome.of().result()));
    }

    private void pass(Command.Pass pass) {
      Command.Run run = new Command.Run(List.of(() -> stage.sees("ran")));
      if (pass.byTimer()) {
        startDurableTimer("run", Duration.ofMillis(1), run);
      } else {
        tell(self(), run);
      }
      reply(new Nothing());
    }
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .hasMessageContaining("cannot be read back: its component " + why)
        .hasMessageContaining("use a record, an enum");
  }

  @Test
  void theSenderIsToldWhichComponentCannotBeReadBack() throws Exception {
    ActorOptions options = new ActorOptions(Stage.QUICK).attempts(1);
    ActorRef<Command> runner = await(stage.callboard.spawn("/runner", Runner::new, options));
    ActorRef<Command> far = stage.callboard.durableRef("/far", Command.class);
    for (ActorRef<Command> to : List.of(runner, far)) {
      ThrowingCallable run =
          () -> await(to.tell(new Command.Run(List.of(() -> stage.sees("ran")))));
      assertCode(run, Code.BAD_MESSAGE);
      refused(run, "\"all[]\" is a java.lang.Runnable: JSON does not say which class");
      ThrowingCallable keep = () -> await(to.tell(new Command.Keep("text")));
      assertCode(keep, Code.BAD_MESSAGE);
      refused(keep, "\"what\" is a java.lang.Object: it may hold any class");
    }
    for (boolean byTimer : new boolean[] {false, true}) {
      refused(
          () -> await(runner.ask(new Command.Pass(byTimer), Nothing.class, SOON)),
          "\"all[]\" is a java.lang.Runnable");
    }
  }

  @Test
  void messagesToItselfInMemoryMayHoldAnything() throws Exception {
    ActorRef<Command> runner = await(stage.callboard.spawn("/runner", Runner::new));
    await(runner.tell(new Command.Pipe()));
    stage.expect("piped");
  }

  private static final class Stateful extends DurableStateActor<Nothing, Task> {
    @Override
    protected Task initial() {
      return new Task(() -> {});
    }

    @Override
    protected void protocol(Protocol<Nothing> on) {
      on.message(Nothing.class, nothing -> {});
    }
  }

  private static final class Eventful extends PersistentActor<Nothing, Task, Nothing> {
    @Override
    protected Nothing initial() {
      return new Nothing();
    }

    @Override
    protected Nothing apply(Nothing state, Task event) {
      return state;
    }

    @Override
    protected void protocol(Protocol<Nothing> on) {
      on.message(Nothing.class, nothing -> {});
    }
  }

  @Test
  void statesAndEventsAreRefusedAtTheSpawn() {
    String why = "\"then\" is a java.lang.Runnable";
    refused(() -> await(stage.callboard.spawn("/a", Stateful::new)), why);
    refused(() -> await(stage.callboard.host("/b", Eventful::new, new ActorOptions())), why);
  }
}
