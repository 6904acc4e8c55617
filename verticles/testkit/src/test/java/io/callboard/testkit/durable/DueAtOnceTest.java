package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.NodesExtension;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of many durable timers that came due while no node ran. */
class DueAtOnceTest {
  private static final int TIMERS = 200;
  private static final Duration LATER = Duration.ofHours(2);

  sealed interface Command {
    record Start() implements Command {}

    record Ring() implements Command {}

    record Get() implements Command {}
  }

  record Rung(int times) {}

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final AtomicInteger rung = new AtomicInteger();

  private final class Alarm extends DurableStateActor<Command, Rung> {
    @Override
    protected Rung initial() {
      return new Rung(0);
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(
              Command.Start.class,
              start -> {
                startDurableTimer("ring", LATER.dividedBy(2), new Command.Ring());
                reply(state());
              })
          .message(
              Command.Ring.class,
              ring -> {
                update(new Rung(state().times() + 1));
                afterCommit(rung::incrementAndGet);
              })
          .message(Command.Get.class, get -> reply(state()));
    }
  }

  /** The system's time, with a clock that is ahead. */
  private static final Time AHEAD =
      new Time() {
        @Override
        public Clock clock() {
          return Clock.offset(SYSTEM.clock(), LATER);
        }

        @Override
        public long nanoTime() {
          return SYSTEM.nanoTime();
        }

        @Override
        public Alarm after(Context context, Duration delay, Runnable task) {
          return SYSTEM.after(context, delay, task);
        }
      };

  private static Future<Rung> ask(Callboard node, String alarm, Command command) {
    return node.durableRef("/alarms/" + alarm, Command.class).ask(command, Rung.class);
  }

  /** Those that are asked meanwhile are new, or have a timer that is due, by turns. */
  @Test
  void timersThatAreDueAtOnceDoNotHoldUpAsks() {
    Callboard before = nodes.open("one");
    await(before.host("/alarms", Alarm::new, new ActorOptions()));
    List<Future<Rung>> started =
        IntStream.range(0, TIMERS)
            .mapToObj(i -> ask(before, "a" + i, new Command.Start()))
            .toList();
    await(Future.all(started));
    nodes.close(before);
    Callboard after = nodes.open("one", options -> options.time(AHEAD).recoveries(1));
    await(after.host("/alarms", Alarm::new, new ActorOptions()));
    int asks = 0;
    while (rung.get() < TIMERS) {
      String alarm = asks % 2 == 0 ? "new" + asks : "a" + asks % TIMERS;
      assertThat(await(ask(after, alarm, new Command.Get())).times()).isBetween(0, 1);
      asks++;
    }
    assertThat(asks).as("asks that were answered before all had rung").isGreaterThan(20);
  }
}
