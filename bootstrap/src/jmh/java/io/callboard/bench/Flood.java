package io.callboard.bench;

import io.callboard.bench.Signal.Item;
import io.callboard.bench.Troupe.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Plain threads that tell one actor as much as may be under way. */
final class Flood implements Load {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Messages told before a thread looks again whether there is room. */
  private static final int STRIDE = 256;

  private final Target target;
  private final Tally tally;
  private final AtomicLongArray sent;
  private final int room;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean running;

  /**
   * @param underWay messages under way at most, of all senders together
   */
  Flood(Troupe troupe, int senders, int underWay) throws Exception {
    tally = new Tally(senders);
    sent = new AtomicLongArray(senders);
    room = underWay / senders;
    if (room < STRIDE) {
      throw new IllegalArgumentException(
          "%d under way are too few for %d senders".formatted(underWay, senders));
    }
    target = troupe.start((signal, here) -> tally.take((Item) signal));
  }

  @Override
  public void start() {
    running = true;
    for (int i = 0; i < sent.length(); i++) {
      int sender = i;
      Thread thread = new Thread(() -> send(sender), "sender-" + i);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((dead, cause) -> failure.set(cause));
      threads.add(thread);
      thread.start();
    }
  }

  private void send(int sender) {
    long number = sent.get(sender);
    while (running) {
      if (number + STRIDE - tally.taken(sender) > room) {
        giveWay();
        continue;
      }
      for (int i = 0; i < STRIDE; i++) {
        target.tell(new Item(sender, number++, false));
      }
      sent.set(sender, number);
    }
  }

  /** A parked sender would be woken too late, a spinning one keeps its core from the receiver. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void giveWay() {
    Thread.yield();
  }

  @Override
  public long done() {
    return tally.taken();
  }

  @Override
  public void stop() throws Exception {
    running = false;
    for (Thread thread : threads) {
      thread.join(LIMIT.toMillis());
    }
    threads.clear();
    if (failure.get() != null) {
      throw new IllegalStateException("a sender failed", failure.get());
    }
    Load.await("every message taken", LIMIT, () -> tally.taken() >= sent() || tally.isWrong());
    tally.check();
  }

  private long sent() {
    long sum = 0;
    for (int sender = 0; sender < sent.length(); sender++) {
      sum += sent.get(sender);
    }
    return sum;
  }
}
