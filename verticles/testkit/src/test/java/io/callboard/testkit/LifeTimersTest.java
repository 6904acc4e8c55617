package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Timers end with the life that started them: a restart adds none to those before. */
class LifeTimersTest {
  private static final int RESTARTS = 5;

  @RegisterExtension final CallboardExtension node = new CallboardExtension();

  private final AtomicInteger lives = new AtomicInteger();
  private final AtomicInteger ticks = new AtomicInteger();

  sealed interface Beat {
    record Tick() implements Beat {}

    record Fail() implements Beat {}

    record Look() implements Beat {}
  }

  record Seen(int ticks) {}

  /** Ticks once a second, from its start on. */
  private final class Metronome extends Actor<Beat> {
    @Override
    protected Future<?> started() {
      lives.incrementAndGet();
      startPeriodicTimer("tick", Duration.ofSeconds(1), new Beat.Tick());
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Beat> on) {
      on.message(Beat.Tick.class, tick -> ticks.incrementAndGet())
          .message(Beat.Look.class, look -> reply(new Seen(ticks.get())))
          .message(
              Beat.Fail.class,
              fail -> {
                throw new IllegalStateException("it is out of step");
              });
    }
  }

  @Test
  void aRestartedActorTicksAtTheRateOfOne(Callboard callboard, ManualTime time) {
    ActorRef<Beat> metronome = await(callboard.spawn("/metronome", Metronome::new));
    for (int restart = 1; restart <= RESTARTS; restart++) {
      await(metronome.tell(new Beat.Fail()));
      int next = restart + 1;
      Eventually.assertThat(
          () -> {
            time.advance(Duration.ofMillis(50));
            assertThat(lives.get()).isEqualTo(next);
          });
    }
    Seen before = await(metronome.ask(new Beat.Look(), Seen.class));
    for (int second = 0; second < 10; second++) {
      time.advance(Duration.ofSeconds(1));
      Seen unused = await(metronome.ask(new Beat.Look(), Seen.class));
    }
    assertThat(await(metronome.ask(new Beat.Look(), Seen.class)).ticks() - before.ticks())
        .isEqualTo(10);
  }
}
