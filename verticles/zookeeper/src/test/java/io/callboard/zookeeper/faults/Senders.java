package io.callboard.zookeeper.faults;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.zookeeper.faults.Load.Order;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Tells numbered orders to the workers, and remembers which were accepted. */
final class Senders {
  /** Every so-many-th order of a sender is bad. */
  private static final int BAD_EVERY = 400;

  private static final int UNDER_WAY = 6;
  private static final int PAUSE_MS = 20;

  private final Callboard node;
  private final List<Sender> senders = new ArrayList<>();
  private final Map<String, Throwable> refused = new ConcurrentHashMap<>();
  private volatile boolean ended;

  Senders(Callboard node) {
    this.node = node;
  }

  void start() {
    for (int i = 0; i < Load.SENDERS; i++) {
      Sender sender = new Sender(i);
      senders.add(sender);
      node.vertx().getOrCreateContext().runOnContext(v -> sender.fill());
    }
  }

  /** Ends the sending; orders that were sent may still be under way. */
  void end() {
    ended = true;
  }

  /** Returns the number of orders of which it is not yet known whether they were accepted. */
  long underWay() {
    return senders.stream().mapToLong(Sender::underWay).sum();
  }

  Map<String, Throwable> refused() {
    return refused;
  }

  /** Returns the number of orders of each sender that must reach its collector. */
  Map<String, Long> due() {
    Map<String, Long> due = new TreeMap<>();
    senders.forEach(
        sender -> {
          due.put(sender.name, sender.good.get());
          if (sender.echoed.get() > 0) {
            due.put(sender.name + Load.ECHO, sender.echoed.get());
          }
        });
    return due;
  }

  long accepted() {
    return senders.stream().mapToLong(sender -> sender.accepted.get()).sum();
  }

  /** Orders that workers send a second time, by a timer. */
  long echoed() {
    return senders.stream().mapToLong(sender -> sender.echoed.get()).sum();
  }

  long bad() {
    return senders.stream().mapToLong(sender -> sender.accepted.get() - sender.good.get()).sum();
  }

  /** Sender that works on the context of one event loop. */
  private final class Sender {
    private final String name;
    private final ActorRef<Order> worker;
    private final AtomicLong told = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong good = new AtomicLong();
    private final AtomicLong echoed = new AtomicLong();

    Sender(int number) {
      name = "s" + number;
      worker = node.durableRef(Load.worker(number), Order.class);
    }

    long underWay() {
      return told.get() - answered.get();
    }

    void fill() {
      while (!ended && underWay() < UNDER_WAY) {
        long n = told.incrementAndGet();
        boolean bad = n % BAD_EVERY == BAD_EVERY / 2;
        Order order = new Order(name, n, bad);
        Future<Void> done = worker.tell(order);
        done.onComplete(
            outcome -> {
              if (outcome.succeeded()) {
                good.addAndGet(bad ? 0 : 1);
                echoed.addAndGet(!bad && Load.echoes(order) ? 1 : 0);
                accepted.incrementAndGet();
              } else {
                refused.put(name + "#" + n, outcome.cause());
              }
              answered.incrementAndGet();
              node.vertx().setTimer(PAUSE_MS, id -> fill());
            });
      }
    }
  }
}
