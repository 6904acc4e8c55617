package io.callboard.chaos;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.grid.Grid;
import io.callboard.journal.SnapshotPolicy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the nodes do: forwarders note numbered orders and pass them on to counters, which know what
 * came before; accounts transfer money to each other; a role counts the questions it is asked.
 */
public final class Workload {
  static final int SENDERS = 6;
  static final int COUNTERS = 4;
  static final int ACCOUNTS = 8;
  static final String ROLE = "oracle";

  private static final int ECHO_EVERY = 19;
  private static final int WRONG_KEPT = 10;

  private Workload() {}

  /**
   * @param form what makes some orders large
   */
  record Order(String sender, long n, String form) {
    private static final int LARGE_EVERY = 40;
    private static final int LARGE = 40_000;
    static final String OF_TIMER = "timer";

    Order(String sender, long n) {
      this(sender, n, n % LARGE_EVERY == 0 ? "x".repeat(LARGE) : "");
    }

    /** Whether the forwarder passes it on once more, by a durable timer. */
    boolean echoes() {
      return echoes(n) && !form.equals(OF_TIMER);
    }

    static boolean echoes(long n) {
      return n % ECHO_EVERY == 0;
    }
  }

  record Forwarded(String sender, long n) {}

  /**
   * The numbers of each sender.
   *
   * @param repeated how many came that had been the last already
   * @param back how many came after a greater one
   * @param wrong the first of both
   */
  record Seen(
      Map<String, Long> last,
      Map<String, Long> count,
      long repeated,
      long back,
      List<String> wrong) {
    static final Seen NOTHING = new Seen(Map.of(), Map.of(), 0, 0, List.of());

    Seen and(String sender, long n) {
      long before = last.getOrDefault(sender, 0L);
      Map<String, Long> nextLast = new HashMap<>(last);
      Map<String, Long> nextCount = new HashMap<>(count);
      List<String> nextWrong = new ArrayList<>(wrong);
      if (n <= before && wrong.size() < WRONG_KEPT) {
        nextWrong.add("%s: %d after %d".formatted(sender, n, before));
      }
      nextLast.merge(sender, n, Math::max);
      nextCount.merge(sender, 1L, Long::sum);
      return new Seen(
          nextLast,
          nextCount,
          repeated + (n == before ? 1 : 0),
          back + (n < before ? 1 : 0),
          nextWrong);
    }
  }

  /** Either from the driver: pay, or from another account: take. */
  record Transfer(String to, long amount, boolean deposit) {}

  record Balance(long amount, long sent, long received) {}

  record Question() {}

  record Answer(String node, long count) {}

  record Asked(long count) {}

  static String forwarder(int sender) {
    return "/orders/forward/f" + sender;
  }

  static String counter(String sender) {
    return "/counts/counter/c" + Math.floorMod(sender.hashCode(), COUNTERS);
  }

  static String account(int number) {
    return "/bank/account/a" + number;
  }

  /** Ends the name of the sender whose orders come from a timer. */
  static String echo(String sender) {
    return sender + "-echo";
  }

  /** All that a sender says is of one priority, so its order is kept; some is direct mail. */
  static Priority lane(String sender) {
    return Priority.values()[Math.floorMod(sender.hashCode(), Priority.values().length)];
  }

  private static final class Forwarder extends PersistentActor<Order, Forwarded, Seen> {
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
            persist(new Forwarded(order.sender(), order.n()));
            pass(order);
            if (order.echoes()) {
              Order echo = new Order(echo(order.sender()), order.n(), Order.OF_TIMER);
              startDurableTimer("echo " + order.n(), Duration.ofMillis(100), echo);
            }
          });
    }

    private void pass(Order order) {
      ActorRef<Order> next = callboard().durableRef(counter(order.sender()), Order.class);
      tell(next, order, TellOptions.priority(lane(order.sender())));
    }
  }

  private static final class Counter extends DurableStateActor<Order, Seen> {
    @Override
    protected Seen initial() {
      return Seen.NOTHING;
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Order.class, order -> update(state().and(order.sender(), order.n())));
    }
  }

  private static final class Account extends DurableStateActor<Transfer, Balance> {
    @Override
    protected Balance initial() {
      return new Balance(0, 0, 0);
    }

    @Override
    protected void protocol(Protocol<Transfer> on) {
      on.message(
          Transfer.class,
          transfer -> {
            Balance now = state();
            long amount = transfer.amount();
            if (transfer.deposit()) {
              update(new Balance(now.amount() + amount, now.sent(), now.received() + 1));
            } else {
              update(new Balance(now.amount() - amount, now.sent() + 1, now.received()));
              ActorRef<Transfer> to = callboard().durableRef(transfer.to(), Transfer.class);
              tell(to, new Transfer(transfer.to(), amount, true));
            }
          });
    }
  }

  private static final class Oracle extends DurableStateActor<Question, Asked> {
    private final String node;

    Oracle(String node) {
      this.node = node;
    }

    @Override
    protected Asked initial() {
      return new Asked(0);
    }

    @Override
    protected void protocol(Protocol<Question> on) {
      on.message(
          Question.class,
          question -> {
            long count = state().count() + 1;
            update(new Asked(count));
            reply(new Answer(node, count));
          });
    }
  }

  /** Lets {@code node} take part. */
  public static Future<Void> host(Callboard node, Grid grid) {
    ActorOptions options = new ActorOptions().snapshots(SnapshotPolicy.every(50));
    // small enough to be full now and then, so that forwarders wait and keep orders in outboxes
    ActorOptions tight = new ActorOptions(options).mailboxLimit(50);
    return node.host("/orders/forward", Forwarder::new, options)
        .compose(v -> node.host("/counts/counter", Counter::new, tight))
        .compose(v -> node.host("/bank/account", Account::new, options))
        .compose(v -> grid.role(ROLE, () -> new Oracle(node.node()), new ActorOptions()))
        .mapEmpty();
  }
}
