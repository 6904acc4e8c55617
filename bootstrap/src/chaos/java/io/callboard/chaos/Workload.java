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
 * Workload of the nodes: forwarders record numbered orders and pass them on to counters, which
 * check the sequence; accounts transfer money to each other; a role counts the questions that it is
 * asked; many letter boxes get one letter now and then, so that no later one reveals a lost letter;
 * clerks read slowly and make late calls.
 */
public final class Workload {
  static final int SENDERS = 6;
  static final int COUNTERS = 4;
  static final int ACCOUNTS = 8;
  static final int LETTER_BOXES = 1_000;
  static final String ROLE = "oracle";

  private static final int ECHO_EVERY = 19;
  private static final int WRONG_KEPT = 10;
  private static final int SKIPPED_KEPT = 1_000;

  private Workload() {}

  /**
   * @param passed how many of this sender its forwarder has noted, with this one; 0 from the driver
   * @param form what makes some orders large
   */
  record Order(String sender, long n, long passed, String form) {
    private static final int LARGE_EVERY = 40;
    private static final int LARGE = 40_000;
    static final String OF_TIMER = "timer";

    Order(String sender, long n) {
      this(sender, n, 0, n % LARGE_EVERY == 0 ? "x".repeat(LARGE) : "");
    }

    boolean isOfTimer() {
      return form.equals(OF_TIMER);
    }

    static boolean echoes(long n) {
      return n % ECHO_EVERY == 0;
    }
  }

  record Forwarded(String sender, long n) {}

  /**
   * The numbers of each sender.
   *
   * @param passed as its forwarder counts
   * @param repeated how many came that had been the last already
   * @param back how many came after a greater one
   * @param skipped numbers of each sender that did not come before greater ones
   * @param miscounted how many did not follow in the forwarder's own count
   * @param wrong the first of those
   */
  record Seen(
      Map<String, Long> last,
      Map<String, Long> count,
      Map<String, Long> passed,
      long repeated,
      long back,
      Map<String, List<Long>> skipped,
      long miscounted,
      List<String> wrong) {
    static final Seen NOTHING =
        new Seen(Map.of(), Map.of(), Map.of(), 0, 0, Map.of(), 0, List.of());

    private static <V> Map<String, V> with(Map<String, V> map, String key, V value) {
      Map<String, V> next = new HashMap<>(map);
      next.put(key, value);
      return next;
    }

    long countOf(String sender) {
      return count.getOrDefault(sender, 0L);
    }

    /** Returns the state after one more order of a sender whose order is not guaranteed. */
    Seen and(String sender) {
      Map<String, Long> counted = with(count, sender, countOf(sender) + 1);
      return new Seen(last, counted, passed, repeated, back, skipped, miscounted, wrong);
    }

    Seen and(Order order) {
      String sender = order.sender();
      long n = order.n();
      long before = last.getOrDefault(sender, 0L);
      boolean follows = order.passed() == passed.getOrDefault(sender, 0L) + 1;
      List<String> nextWrong = new ArrayList<>(wrong);
      if ((n <= before || !follows) && wrong.size() < WRONG_KEPT) {
        nextWrong.add(
            "%s: %d after %d, counted %d after %d"
                .formatted(sender, n, before, order.passed(), passed.getOrDefault(sender, 0L)));
      }
      return new Seen(
          with(last, sender, Math.max(n, before)),
          with(count, sender, countOf(sender) + 1),
          with(passed, sender, order.passed()),
          repeated + (n == before ? 1 : 0),
          back + (n < before ? 1 : 0),
          n > before + 1 ? with(skipped, sender, between(sender, before, n)) : skipped,
          miscounted + (follows ? 0 : 1),
          nextWrong);
    }

    private List<Long> between(String sender, long before, long n) {
      List<Long> all = new ArrayList<>(skipped.getOrDefault(sender, List.of()));
      for (long each = before + 1; each < n && all.size() < SKIPPED_KEPT; each++) {
        all.add(each);
      }
      return all;
    }
  }

  /** Either from the driver: pay, or from another account: take. */
  record Transfer(String to, long amount, boolean deposit) {}

  record Balance(long amount, long sent, long received) {}

  record Letter(long n) {}

  record Letters(long count) {}

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

  static String letterBox(long n) {
    return "/post/box/b" + n % LETTER_BOXES;
  }

  /** Ends the name of the sender whose orders come from a timer. */
  static String echo(String sender) {
    return sender + "-echo";
  }

  /**
   * Returns the priority of a sender, the same for all its messages, so that their order is kept;
   * some is direct mail.
   */
  static Priority lane(String sender) {
    return Priority.values()[Math.floorMod(sender.hashCode(), Priority.values().length)];
  }

  /** Actor that forwards orders; its state is the number of orders of each sender. */
  private static final class Forwarder extends PersistentActor<Order, Forwarded, Noted> {
    @Override
    protected Noted initial() {
      return new Noted(Map.of());
    }

    @Override
    protected Noted apply(Noted state, Forwarded event) {
      return state.and(event.sender());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> {
            if (order.isOfTimer()) {
              pass(order);
            } else {
              forward(order);
            }
          });
    }

    private void forward(Order order) {
      persist(new Forwarded(order.sender(), order.n()));
      long count = state().of(order.sender());
      pass(new Order(order.sender(), order.n(), count, order.form()));
      if (Order.echoes(order.n())) {
        Order echo = new Order(echo(order.sender()), order.n(), 0, Order.OF_TIMER);
        startDurableTimer("echo " + order.n(), Duration.ofMillis(100), echo);
      }
    }

    private void pass(Order order) {
      ActorRef<Order> next = callboard().durableRef(counter(order.sender()), Order.class);
      tell(next, order, TellOptions.priority(lane(order.sender())));
    }
  }

  record Noted(Map<String, Long> count) {
    Noted and(String sender) {
      return new Noted(Seen.with(count, sender, of(sender) + 1));
    }

    long of(String sender) {
      return count.getOrDefault(sender, 0L);
    }
  }

  private static final class Counter extends DurableStateActor<Order, Seen> {
    @Override
    protected Seen initial() {
      return Seen.NOTHING;
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> update(order.isOfTimer() ? state().and(order.sender()) : state().and(order)));
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

  private static final class LetterBox extends DurableStateActor<Letter, Letters> {
    @Override
    protected Letters initial() {
      return new Letters(0);
    }

    @Override
    protected void protocol(Protocol<Letter> on) {
      on.message(Letter.class, letter -> update(new Letters(state().count() + 1)));
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

  /** Makes {@code node} take part. */
  public static Future<Void> host(Callboard node, Grid grid) {
    ActorOptions options = new ActorOptions().snapshots(SnapshotPolicy.every(50));
    ActorOptions letters = new ActorOptions().passivateAfter(Duration.ofSeconds(5));
    // small enough to be full now and then, so that forwarders wait and keep orders in outboxes
    ActorOptions tight = new ActorOptions(options).mailboxLimit(50);
    return node.host("/orders/forward", Forwarder::new, options)
        .compose(v -> node.host("/counts/counter", Counter::new, tight))
        .compose(v -> node.host("/bank/account", Account::new, options))
        .compose(v -> node.host("/post/box", LetterBox::new, letters))
        .compose(v -> LateClerk.host(node))
        .compose(v -> grid.role(ROLE, () -> new Oracle(node.node()), new ActorOptions()))
        .mapEmpty();
  }
}
