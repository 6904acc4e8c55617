package io.callboard.bench;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.bench.Mail.Order.More;
import io.callboard.bench.Mail.Order.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Pairs of durable actors. A sender's turn sends a burst; its receiver counts and checks every
 * message, and allows the next burst when it has the last of one. So the bursts under way are
 * bounded, and a message counts when the turn that consumed it is committed.
 */
final class Mail implements Load {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BURST_BYTES = 64_000;
  private static final int BURST_MESSAGES = 100;

  private final List<ActorRef<Order>> senders = new ArrayList<>();
  private final int bursts;
  private final int burst;
  private final String body;
  private final LongAdder sent = new LongAdder();
  private final LongAdder consumed = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder retired = new LongAdder();
  private long starts;
  private volatile boolean running;

  /** Message to a sender. */
  sealed interface Order {
    /** Start with the number of bursts that may be under way. */
    record Start(int bursts) implements Order {}

    /** Permission for one more burst. */
    record More() implements Order {}
  }

  /** Message to a receiver. */
  record Item(long number, boolean endsBurst, String body) {}

  /** The state of both: the number of the next message. */
  record Next(long number) {}

  /**
   * @param path of the actors' parent, new in this cell
   * @param bursts of each pair under way
   */
  Mail(Node node, String path, int pairs, int bursts, int bytes) throws Exception {
    this.bursts = bursts;
    this.burst = burst(bytes);
    this.body = "x".repeat(bytes);
    for (int i = 0; i < pairs; i++) {
      String receiver = "%s/receiver-%d".formatted(path, i);
      String sender = "%s/sender-%d".formatted(path, i);
      var unused = node.spawn(receiver, () -> new Receiver(sender));
      senders.add(node.spawn(sender, () -> new Sender(receiver)));
    }
  }

  /** Messages of a burst. */
  static int burst(int bytes) {
    return Math.max(1, Math.min(BURST_MESSAGES, BURST_BYTES / bytes));
  }

  private final class Sender extends DurableStateActor<Order, Next> {
    private final String receiver;

    Sender(String receiver) {
      this.receiver = receiver;
    }

    @Override
    protected Next initial() {
      return new Next(0);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(Start.class, this::start).message(More.class, more -> more());
    }

    private void start(Start start) {
      for (int i = 0; i < start.bursts(); i++) {
        tell(self(), new More());
      }
    }

    private void more() {
      if (!running) {
        afterCommit(retired::increment);
        return;
      }
      ActorRef<Item> to = callboard().durableRef(receiver, Item.class);
      long first = state().number();
      for (int i = 0; i < burst; i++) {
        tell(to, new Item(first + i, i == burst - 1, body));
      }
      update(new Next(first + burst));
      afterCommit(() -> sent.add(burst));
    }
  }

  private final class Receiver extends DurableStateActor<Item, Next> {
    private final String sender;

    Receiver(String sender) {
      this.sender = sender;
    }

    @Override
    protected Next initial() {
      return new Next(0);
    }

    @Override
    protected void protocol(Protocol<Item> on) {
      on.message(Item.class, this::item);
    }

    private void item(Item item) {
      if (item.number() != state().number() || item.body().length() != body.length()) {
        wrong.increment();
      }
      update(new Next(item.number() + 1));
      if (item.endsBurst()) {
        tell(callboard().durableRef(sender, Order.class), new More());
        afterCommit(() -> consumed.add(burst));
      }
    }
  }

  @Override
  public void start() throws Exception {
    running = true;
    starts++;
    for (ActorRef<Order> sender : senders) {
      Node.await(sender.tell(new Start(bursts)));
    }
  }

  @Override
  public long done() {
    return consumed.sum();
  }

  @Override
  public void stop() throws Exception {
    running = false;
    long expected = starts * senders.size() * bursts;
    Load.await("every burst consumed", LIMIT, () -> retired.sum() == expected);
    if (sent.sum() != consumed.sum() || wrong.sum() > 0) {
      throw new IllegalStateException(
          "%d messages sent, %d consumed, %d out of order"
              .formatted(sent.sum(), consumed.sum(), wrong.sum()));
    }
  }
}
