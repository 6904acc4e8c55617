package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of many durable timers that came due while no node ran. */
@Tag("real")
class DueTimersTest {
  private static final int ACTORS = Integer.getInteger("herd", 3_000);
  private static final Duration LATER = Duration.ofHours(2);

  private static EmbeddedZooKeeper server;

  sealed interface Command {
    record Start() implements Command {}

    record Ring() implements Command {}

    record Get() implements Command {}
  }

  record Rung(int times) {}

  private final AtomicInteger rung = new AtomicInteger();

  final class Alarm extends DurableStateActor<Command, Rung> {
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

  @BeforeAll
  static void startServer() throws IOException {
    server = TestServers.start("due-timers");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private ActorRef<Command> alarm(Callboard node, String name) {
    return node.durableRef("/alarms/" + name, Command.class);
  }

  private static Time later() {
    return new Time() {
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
  }

  @Test
  void whatAnotherActorIsAskedMeanwhileIsAnsweredSoon() throws Exception {
    try (ClusteredNodes nodes = new ClusteredNodes(server)) {
      Callboard before = nodes.open("one");
      await(before.host("/alarms", Alarm::new, new ActorOptions()));
      List<Future<Rung>> started = new ArrayList<>();
      for (int i = 0; i < ACTORS; i++) {
        started.add(
            alarm(before, "a" + i).ask(new Command.Start(), Rung.class, Duration.ofMinutes(2)));
        if (i % 500 == 499) {
          for (Future<Rung> each : started) {
            await(each);
          }
        }
      }
      await(before.close());
      Callboard after = nodes.open("one", new EventBusOptions(), o -> o.time(later()));
      long begun = System.nanoTime();
      await(after.host("/alarms", Alarm::new, new ActorOptions()));
      long most = 0;
      int asks = 0;
      StringBuilder all = new StringBuilder();
      while (rung.get() < ACTORS) {
        long asked = System.nanoTime();
        await(alarm(after, "b" + asks++).ask(new Command.Get(), Rung.class, Duration.ofMinutes(2)));
        long took = System.nanoTime() - asked;
        all.append(took / 1_000_000).append('@').append(rung.get()).append(' ');
        most = Math.max(most, took);
      }
      System.err.printf(
          "MEASURED %d in %d ms, longest ask %d ms: %s%n",
          ACTORS, (System.nanoTime() - begun) / 1_000_000, most / 1_000_000, all);
    }
  }
}
