package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.DeadLetter;
import io.callboard.store.StoredParked;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.Stage;
import io.callboard.testkit.Waits;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of actors that fail with causes whose own methods fail, or whose texts are huge. */
class HostileCausesTest {
  /** Limit of what is told of a cause: its own, and the words around it. */
  private static final int MOST_TOLD = 2_500;

  private static final int ATTEMPTS = 2;

  @RegisterExtension final Stage stage = new Stage();

  sealed interface Cue {
    record Fail(Kind kind) implements Cue {}

    record Effect(Kind kind) implements Cue {}

    record Count() implements Cue {}
  }

  /** Kind of cause. */
  enum Kind {
    MESSAGE_THROWS(() -> new Hostile("message")),
    MESSAGE_OVERFLOWS(() -> new Hostile("overflow")),
    TEXT_THROWS(() -> new Hostile("text")),
    STACK_THROWS(() -> new Hostile("stack")),
    STACK_IS_NULL(() -> new Hostile("no stack")),
    CAUSE_IS_ITSELF(() -> new Hostile("ring")),
    CAUSE_HAS_NO_MESSAGE(() -> new IllegalStateException("outer", new Hostile("message"))),
    HASH_AND_EQUALITY_THROW(() -> new Hostile("hash")),
    HUGE(() -> new IllegalStateException("x".repeat(20_000_000)));

    private final Supplier<RuntimeException> maker;

    Kind(Supplier<RuntimeException> maker) {
      this.maker = maker;
    }

    RuntimeException make() {
      return maker.get();
    }
  }

  /** Failure one of whose methods fails. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String what;

    Hostile(String what) {
      this.what = what;
    }

    private void failsIf(String asked) {
      if (what.equals(asked)) {
        throw new IllegalStateException("no " + asked);
      }
    }

    @SuppressWarnings("InfiniteRecursion") // it is to exhaust the stack
    private static String overflow(int depth) {
      return overflow(depth + 1) + depth;
    }

    @Override
    public String getMessage() {
      failsIf("message");
      return what.equals("overflow") ? overflow(0) : "it fails";
    }

    @Override
    public String toString() {
      failsIf("text");
      return super.toString();
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      failsIf("stack");
      return what.equals("no stack") ? null : super.getStackTrace();
    }

    @Override
    public synchronized Throwable getCause() {
      return what.equals("ring") ? this : null;
    }

    @Override
    public int hashCode() {
      failsIf("hash");
      return super.hashCode();
    }

    @Override
    public boolean equals(Object other) {
      failsIf("hash");
      return this == other;
    }
  }

  private static final class Keeper extends DurableStateActor<Cue, Integer> {
    @Override
    protected Integer initial() {
      return 0;
    }

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(
              Cue.Fail.class,
              fail -> {
                throw fail.kind().make();
              })
          .message(
              Cue.Effect.class,
              effect ->
                  afterCommit(
                      () -> {
                        throw effect.kind().make();
                      }))
          .message(
              Cue.Count.class,
              count -> {
                update(state() + 1);
                reply(state());
              });
    }
  }

  private final class Player extends Actor<Cue> {
    private int count;

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.message(
              Cue.Fail.class,
              fail -> {
                throw fail.kind().make();
              })
          .message(Cue.Effect.class, effect -> outside(effect.kind()))
          .message(Cue.Count.class, message -> reply(++count));
    }

    private void outside(Kind kind) {
      context.runOnContext(
          v -> {
            throw kind.make();
          });
    }

    @Override
    protected Future<?> stopped() {
      return Future.failedFuture(Kind.MESSAGE_THROWS.make());
    }
  }

  private static void isTold(Throwable cause) {
    assertThat(cause)
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.HANDLER_FAILED));
    assertThat(cause.getMessage()).hasSizeLessThan(MOST_TOLD);
    StringWriter printed = new StringWriter();
    cause.printStackTrace(new PrintWriter(printed, true));
    assertThat(printed.toString()).contains("Caused by: ");
    assertThat(printed.toString().length()).isLessThan(50_000);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aDurableActorParksTheMessageAndGoesOn(Kind kind) {
    try (LogCapture log = LogCapture.of("io.callboard")) {
      ActorRef<Cue> keeper =
          await(
              stage.callboard.spawn(
                  "/keeper", Keeper::new, new ActorOptions(QUICK).attempts(ATTEMPTS)));
      Future<Integer> failed = keeper.ask(new Cue.Fail(kind), Integer.class);
      Future<Integer> behind = keeper.ask(new Cue.Count(), Integer.class);
      assertThat(await(behind)).isEqualTo(1);
      assertThatThrownBy(() -> await(failed)).satisfies(HostileCausesTest::isTold);
      StoredParked parked = await(stage.callboard.admin().parked(10)).get(0);
      assertThat(parked.bytes()).hasSizeBetween(1, 2 * MOST_TOLD);
      assertThat(log.lines()).allMatch(line -> line.text().length() < 2 * MOST_TOLD);
      assertThat(log.lines())
          .noneMatch(line -> line.text().contains("unexpected failure"))
          .noneMatch(line -> line.text().contains("could not be carried out"));
      stage.restart();
      keeper = await(stage.callboard.spawn("/keeper", Keeper::new, QUICK));
      assertThat(await(keeper.ask(new Cue.Count(), Integer.class))).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aDurableActorWhoseEffectFailsGoesOn(Kind kind) {
    ActorRef<Cue> keeper = await(stage.callboard.spawn("/keeper", Keeper::new, QUICK));
    await(keeper.tell(new Cue.Effect(kind)));
    Eventually.assertThat(
        () -> assertThat(stage.callboard.admin().counts().restarts()).isEqualTo(1));
    assertThat(await(keeper.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aVolatileActorIsRestartedAndGoesOn(Kind kind) {
    ActorRef<Cue> player = await(stage.callboard.spawn("/player", Player::new, QUICK));
    assertThatThrownBy(() -> await(player.ask(new Cue.Fail(kind), Integer.class)))
        .satisfies(HostileCausesTest::isTold);
    assertThat(await(player.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    await(player.tell(new Cue.Effect(kind)));
    Eventually.assertThat(
        () -> assertThat(stage.callboard.admin().counts().restarts()).isEqualTo(2));
    assertThat(await(player.ask(new Cue.Count(), Integer.class))).isEqualTo(1);
    await(stage.callboard.stop("/player"));
  }

  @Test
  void aListenerForDeadLettersThatFailsHoldsUpNoOther() {
    BlockingQueue<DeadLetter> letters = new LinkedBlockingQueue<>();
    Runnable first =
        stage
            .callboard
            .admin()
            .onDeadLetter(
                letter -> {
                  throw Kind.MESSAGE_THROWS.make();
                });
    Runnable second = stage.callboard.admin().onDeadLetter(letters::add);
    ActorRef<Cue> player = await(stage.callboard.spawn("/player", Player::new, QUICK));
    await(stage.callboard.stop("/player"));
    assertThatThrownBy(() -> await(player.tell(new Cue.Count())))
        .isInstanceOf(CallboardException.class);
    ActorRef<Cue> busy = await(stage.callboard.spawn("/sender", () -> new Sender(player)));
    await(busy.tell(new Cue.Count()));
    assertThat(Waits.next(letters).receiver()).isEqualTo("/player");
    first.run();
    second.run();
  }

  /** Actor that passes on what it is told. */
  private static final class Sender extends Actor<Cue> {
    private final ActorRef<Cue> to;

    Sender(ActorRef<Cue> to) {
      this.to = to;
    }

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.others(cue -> tell(to, cue));
    }
  }
}
