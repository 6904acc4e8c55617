package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.failing;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Test of the time limit for the stop of a failure zone: one alarm, which goes with the zone, and
 * holds for all that is in it, however it ends.
 */
class ZoneStopLimitTest {
  private static final FailureZone POLICY = new FailureZone();
  private static final FailureZone SHORT = POLICY.stopTimeout(Duration.ofMillis(50));
  private static final FailureZone LONG = POLICY.stopTimeout(Duration.ofHours(1));

  /** The system's time; records the alarms of zones' limits that are open. */
  private static final class RecordedTime implements Time {
    private final Set<Runnable> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger all = new AtomicInteger();

    @Override
    public Clock clock() {
      return SYSTEM.clock();
    }

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public Alarm after(Context context, Duration delay, Runnable task) {
      Alarm alarm = SYSTEM.after(context, delay, task);
      if (!delay.equals(POLICY.stopTimeout())) {
        return alarm;
      }
      all.incrementAndGet();
      open.add(task);
      return () -> {
        open.remove(task);
        alarm.cancel();
      };
    }
  }

  record Nothing() {}

  private static final class Slow extends Actor<Nothing> {
    private final CountDownLatch stops;
    private final Future<?> mayStop;

    Slow(CountDownLatch stops, Future<?> mayStop) {
      this.stops = stops;
      this.mayStop = mayStop;
    }

    @Override
    protected void protocol(Protocol<Nothing> on) {
      on.message(Nothing.class, nothing -> {});
    }

    @Override
    protected Future<?> stopped() {
      stops.countDown();
      return mayStop;
    }
  }

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Starts actors that stop when they may, a minute for each being no limit here. */
  private static void spawnSlow(
      Callboard node, CountDownLatch stops, Promise<Void> mayStop, String... paths) {
    ActorOptions patient = new ActorOptions().stopTimeout(Duration.ofMinutes(1));
    for (String path : paths) {
      var unused = await(node.spawn(path, () -> new Slow(stops, mayStop.future()), patient));
    }
  }

  @Test
  void anEndAskedForTwiceHasOneLimitOfWhichNothingIsLeft() throws Exception {
    RecordedTime time = new RecordedTime();
    CountDownLatch stops = new CountDownLatch(1);
    Promise<Void> mayStop = Promise.promise();
    Callboard node = nodes.open("one", options -> options.time(time));
    await(node.supervise("/shop", POLICY));
    var unused = await(node.spawn("/shop/a", () -> new Slow(stops, mayStop.future())));
    await(node.admin().restart("/shop"));
    Waits.opened(stops);
    Future<Void> stopped = node.stop("/shop"); // while the restart has it end
    mayStop.complete();
    await(stopped);
    assertThat(time.all).hasValue(1);
    assertThat(time.open).isEmpty();
  }

  @Test
  void aZoneThatEndsByItselfStopsItsChildrenInTimeToo() throws Exception {
    CountDownLatch stops = new CountDownLatch(2);
    Promise<Void> mayStop = Promise.promise();
    Callboard node = nodes.open("one");
    FailureZone strict = SHORT.intensity(0, Duration.ofMinutes(1)).whenOver(LimitAction.PARK);
    await(node.supervise("/shop", strict));
    spawnSlow(node, stops, mayStop, "/shop/a", "/shop/b");
    await(
        await(node.spawn("/shop/c", failing(Nothing.class, "asked to fail"))).tell(new Nothing()));
    Waits.opened(stops);
    mayStop.complete();
  }

  @Test
  void theLimitOfAZoneHoldsForThoseInItWhateverTheirOwn() throws Exception {
    CountDownLatch stops = new CountDownLatch(4);
    Promise<Void> mayStop = Promise.promise();
    Callboard node = nodes.open("one");
    await(node.supervise("/shop", SHORT));
    await(node.supervise("/shop/floor", LONG));
    await(node.supervise("/shop/floor/room", LONG));
    spawnSlow(node, stops, mayStop, "/shop/floor/a", "/shop/floor/b");
    spawnSlow(node, stops, mayStop, "/shop/floor/room/a", "/shop/floor/room/b");
    Future<Void> stopped = node.stop("/shop");
    Waits.opened(stops);
    mayStop.complete();
    await(stopped);
  }
}
