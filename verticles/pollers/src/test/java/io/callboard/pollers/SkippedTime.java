package io.callboard.pollers;

import io.callboard.testkit.Stillness;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The system's time, of which a test leaves some out: what waits by it waits no longer for that.
 */
final class SkippedTime implements Time {
  private final Set<Waiting> all = ConcurrentHashMap.newKeySet();
  private final AtomicLong skippedNanos = new AtomicLong();

  private final class Waiting implements Alarm {
    private final long dueNanos;
    private final Context context;
    private final Runnable task;
    private final AtomicBoolean over = new AtomicBoolean();

    Waiting(Context context, Duration delay, Runnable task) {
      this.dueNanos = nanoTime() + delay.toNanos();
      this.context = context;
      this.task = task;
    }

    @Override
    public void cancel() {
      end();
    }

    boolean end() {
      return over.compareAndSet(false, true) && all.remove(this);
    }

    void run() {
      if (end()) {
        task.run();
      }
    }
  }

  /**
   * Skips some time: does what is due by then, and waits for all that follows from it in a node.
   */
  void skip(Duration some, Stillness node) {
    long nowNanos = Time.SYSTEM.nanoTime() + skippedNanos.addAndGet(some.toNanos());
    all.stream()
        .filter(each -> each.dueNanos - nowNanos <= 0)
        .sorted(Comparator.comparingLong(each -> each.dueNanos - nowNanos))
        .forEach(each -> each.context.runOnContext(v -> each.run()));
    node.await();
  }

  @Override
  public Clock clock() {
    return Clock.offset(Time.SYSTEM.clock(), Duration.ofNanos(skippedNanos.get()));
  }

  @Override
  public long nanoTime() {
    return Time.SYSTEM.nanoTime() + skippedNanos.get();
  }

  @Override
  public Alarm after(Context context, Duration delay, Runnable task) {
    Waiting waiting = new Waiting(context, delay, task);
    all.add(waiting);
    Alarm unused = Time.SYSTEM.after(context, delay, waiting::run);
    return waiting;
  }
}
