package io.callboard.soak;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.supervision.FailureZone;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Cost of failure zones while nothing fails: 10,000 actors handle messages in 100 zones, and as
 * many outside, alternately. {@code -Dsoak.pairs=N} sets the number of comparisons.
 */
@Tag("long")
class OverheadTest {
  private static final int ZONES = 100;
  private static final int ACTORS = 100;
  private static final int MESSAGES = 200;
  private static final int WARM = 5;
  private static final int PAIRS = Integer.getInteger("soak.pairs", 15);

  /** Gross, for machines that are busy; the target is 0.99. */
  private static final double LEAST = 0.7;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /**
   * @param left so many follow it
   * @param handled counts down at the last one
   */
  record Ping(int left, CountDownLatch handled) {}

  private static final class Counter extends Actor<Ping> {
    @Override
    protected void protocol(Protocol<Ping> on) {
      on.message(
          Ping.class,
          ping -> {
            if (ping.left() == 0) {
              ping.handled().countDown();
            } else {
              var unused = self().tell(new Ping(ping.left() - 1, ping.handled()));
            }
          });
    }
  }

  @Test
  void zonesCostNothingWhileNothingFails() throws Exception {
    Callboard callboard = nodes.open("overhead");
    for (int i = 0; i < ZONES; i++) {
      await(callboard.supervise("/in" + i, new FailureZone()));
    }
    List<ActorRef<Ping>> inside = new ArrayList<>();
    List<ActorRef<Ping>> outside = new ArrayList<>();
    spawn(callboard, inside, outside);
    double[] ratios = new double[PAIRS];
    double[] perSecond = new double[PAIRS];
    for (int i = -WARM; i < PAIRS; i++) {
      boolean first = i % 2 == 0;
      double with = first ? round(inside) : 0;
      double without = round(outside);
      with = first ? with : round(inside);
      if (i >= 0) {
        ratios[i] = with / without;
        perSecond[i] = with;
      }
    }
    Arrays.sort(ratios);
    Arrays.sort(perSecond);
    System.out.printf(
        "%d actors, %d messages a round: %.0f messages/s in failure zones, %.4f of what it is"
            + " outside (median of %d pairs, %.3f to %.3f)%n",
        ZONES * ACTORS,
        ZONES * ACTORS * MESSAGES,
        perSecond[PAIRS / 2],
        ratios[PAIRS / 2],
        PAIRS,
        ratios[0],
        ratios[PAIRS - 1]);
    assertThat(ratios[PAIRS / 2]).isGreaterThan(LEAST);
  }

  /** Spawns the actors alternately, so that neither group is closer together in memory. */
  private static void spawn(
      Callboard callboard, List<ActorRef<Ping>> inside, List<ActorRef<Ping>> outside)
      throws Exception {
    ActorOptions options = new ActorOptions().onBus(false);
    for (int zone = 0; zone < ZONES; zone++) {
      for (int i = 0; i < ACTORS; i++) {
        String name = "%d/a%d".formatted(zone, i);
        inside.add(await(callboard.spawn("/in" + name, Counter::new, options)));
        outside.add(await(callboard.spawn("/out" + name, Counter::new, options)));
      }
    }
  }

  /**
   * Messages a second. Each actor tells itself the next one, so that no other thread decides how
   * many a slice handles.
   */
  private static double round(List<ActorRef<Ping>> actors) throws Exception {
    CountDownLatch handled = new CountDownLatch(actors.size());
    Ping first = new Ping(MESSAGES - 1, handled);
    long begin = System.nanoTime();
    for (ActorRef<Ping> actor : actors) {
      var unused = actor.tell(first);
    }
    Waits.opened(handled);
    return actors.size() * MESSAGES * 1e9 / (System.nanoTime() - begin);
  }
}
