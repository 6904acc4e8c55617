package io.callboard.zookeeper.faults;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Load of the nodes: workers forward numbered orders to collectors, which know what came before. A
 * worker and its collector live in different spaces, so mostly on different nodes.
 */
final class Load {
  /** Spaces, each with workers and a collector. */
  static final int SPACES = 3;

  static final int SENDERS = 6;

  /** Ends the name of the sender whose orders come from a timer. */
  static final String ECHO = "-echo";

  private static final int ECHO_EVERY = 19;

  private static final int ANOMALIES_KEPT = 10;

  private Load() {}

  /**
   * @param bad whether the worker fails on it, each time
   * @param form what makes some orders large
   */
  record Order(String sender, long n, boolean bad, String form) {
    private static final int LARGE_EVERY = 20;
    private static final int LARGE = 40_000;

    Order(String sender, long n, boolean bad) {
      this(sender, n, bad, n % LARGE_EVERY == 0 ? "x".repeat(LARGE) : "");
    }
  }

  /** A worker has forwarded an order. */
  record Forwarded(String sender, long n) {}

  /** The numbers of each sender: the last one, how many, and what was wrong with their order. */
  record Seen(Map<String, Long> last, Map<String, Long> count, List<String> wrong) {
    static final Seen NOTHING = new Seen(Map.of(), Map.of(), List.of());

    Seen and(String sender, long n) {
      long before = last.getOrDefault(sender, 0L);
      Map<String, Long> nextLast = new HashMap<>(last);
      Map<String, Long> nextCount = new HashMap<>(count);
      List<String> nextWrong = new ArrayList<>(wrong);
      if (n <= before && wrong.size() < ANOMALIES_KEPT) {
        nextWrong.add("%s: %d after %d".formatted(sender, n, before));
      }
      nextLast.merge(sender, n, Math::max);
      nextCount.merge(sender, 1L, Long::sum);
      return new Seen(nextLast, nextCount, nextWrong);
    }
  }

  static String space(int number) {
    return "load" + Math.floorMod(number, SPACES);
  }

  static String worker(int sender) {
    return "/%s/work/w%d".formatted(space(sender), sender);
  }

  static String collector(int space) {
    return "/%s/sum/c".formatted(space(space));
  }

  /** All that a sender says is of one priority, so its order is kept. */
  static Priority lane(String sender) {
    return Priority.values()[Math.floorMod(sender.hashCode(), Priority.values().length)];
  }

  /** Returns whether the worker sends the message a second time, later, by a durable timer. */
  static boolean echoes(Order order) {
    return order.n() % ECHO_EVERY == 0 && !order.sender().endsWith(ECHO);
  }

  /** Notes each order by an event, and forwards it. */
  static final class Worker extends PersistentActor<Order, Forwarded, Seen> {
    @Override
    protected Seen initial() {
      return Seen.NOTHING;
    }

    @Override
    protected Seen apply(Seen state, Forwarded event) {
      return state.and(event.sender(), event.n());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> {
            if (order.bad()) {
              throw new IllegalArgumentException("a bad order");
            }
            persist(new Forwarded(order.sender(), order.n()));
            int space = Integer.parseInt(path().space().substring("load".length()));
            ActorRef<Order> next = callboard().durableRef(collector(space + 1), Order.class);
            tell(next, order, TellOptions.priority(lane(order.sender())));
            if (echoes(order)) {
              Order echo = new Order(order.sender() + ECHO, order.n(), false, "");
              startDurableTimer("echo " + order.n(), Duration.ofMillis(100), echo);
            }
          });
    }
  }

  /** Actor that has its state in its record, where a test reads it. */
  static final class Collector extends DurableStateActor<Order, Seen> {
    @Override
    protected Seen initial() {
      return Seen.NOTHING;
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.class, order -> update(state().and(order.sender(), order.n())));
    }
  }

  /** Lets {@code node} run what lives in that space. */
  static Future<Void> host(Callboard node, int space) {
    ActorOptions options =
        new ActorOptions()
            .attempts(2)
            .snapshots(SnapshotPolicy.every(20))
            .supervision(
                new SupervisionOptions()
                    .backoff(
                        Backoff.exponential(
                            Duration.ofMillis(5), Duration.ofMillis(50), Backoff.Jitter.FULL))
                    .intensity(1_000, Duration.ofMinutes(2)));
    // small enough to be full now and then, so that workers wait, and keep orders in outboxes
    ActorOptions tight =
        new ActorOptions(options)
            .mailboxLimit(20)
            .whenFull(Math.floorMod(space, SPACES) == 0 ? WhenFull.WAIT : WhenFull.PARK);
    // both, even if a fault meets the first: it is hosted all the same, and what it claims is whole
    return Future.join(
            node.host("/%s/work".formatted(space(space)), Worker::new, options),
            node.host("/%s/sum".formatted(space(space)), Collector::new, tight))
        .mapEmpty();
  }
}
