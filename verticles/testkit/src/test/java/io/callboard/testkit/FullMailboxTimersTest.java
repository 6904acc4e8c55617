package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.store.WhenFull;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of timers and other messages of an actor to itself that come while its mailbox is full. */
class FullMailboxTimersTest {
  private static final int LIMIT = 100;
  private static final Duration DELAY = Duration.ofMillis(10);

  @RegisterExtension final CallboardExtension node = new CallboardExtension();

  private final Promise<Void> gate = Promise.promise();
  private final Promise<Integer> outcome = Promise.promise();

  sealed interface Cue {
    record Begin(int timers) implements Cue {}

    record Tick(int number) implements Cue {}

    record Piped(int number) implements Cue {}

    record Work() implements Cue {}

    record Look() implements Cue {}
  }

  record Seen(int ticks, int piped) {}

  private final class Busy extends Actor<Cue> {
    private final Set<Integer> ticks = new HashSet<>();
    private int piped;

    @Override
    protected void protocol(Protocol<Cue> on) {
      on.async(
              Cue.Begin.class,
              begin -> {
                for (int i = 0; i < begin.timers(); i++) {
                  startTimer("tick " + i, DELAY, new Cue.Tick(i));
                }
                pipeToSelf(outcome.future(), done -> new Cue.Piped(done.result()));
                reply(begin.timers());
                return inTurn(gate.future());
              })
          .message(Cue.Tick.class, tick -> ticks.add(tick.number()))
          .message(Cue.Piped.class, done -> piped += done.number())
          .message(Cue.Work.class, work -> {})
          .message(Cue.Look.class, look -> reply(new Seen(ticks.size(), piped)));
    }
  }

  @ParameterizedTest
  @CsvSource({"1,REJECT", "10,REJECT", "5000,REJECT", "1,DROP_OLDEST", "50,DROP_OLDEST"})
  void noTimerThatIsDueWhileTheMailboxIsFullIsLost(
      int timers, WhenFull whenFull, Callboard callboard, ManualTime time) {
    ActorRef<Cue> busy =
        await(
            callboard.spawn(
                "/busy", Busy::new, new ActorOptions().mailboxLimit(LIMIT).whenFull(whenFull)));
    assertThat(await(busy.ask(new Cue.Begin(timers), Integer.class))).isEqualTo(timers);
    fill(busy, whenFull);
    time.advance(DELAY);
    outcome.complete(7);
    if (whenFull == WhenFull.DROP_OLDEST) {
      fill(busy, whenFull);
    }
    gate.complete();
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().running(busy.path()).orElseThrow().queued())
                .as("an ask has room")
                .isZero());
    assertThat(await(busy.ask(new Cue.Look(), Seen.class)).ticks()).isEqualTo(timers);
    if (whenFull == WhenFull.REJECT) {
      assertThat(await(busy.ask(new Cue.Look(), Seen.class)).piped()).isEqualTo(7);
      assertThat(callboard.admin().counts().dead()).isZero();
    }
  }

  private static void fill(ActorRef<Cue> busy, WhenFull whenFull) {
    for (int i = 0; i < LIMIT; i++) {
      await(busy.tell(new Cue.Work()));
    }
    if (whenFull == WhenFull.REJECT) {
      Future<Void> refused = busy.tell(new Cue.Work());
      assertThat(refused.cause()).isInstanceOf(CallboardException.class);
    }
  }
}
