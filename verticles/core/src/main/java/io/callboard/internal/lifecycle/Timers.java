package io.callboard.internal.lifecycle;

import io.callboard.codecs.TraceContext;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one started actor object, by key. One that is cancelled or started again is not
 * handled any more, also if its message waits in the mailbox already, or lies aside. Used on the
 * actor's context only.
 */
final class Timers {
  private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();

  private final Time time;
  private final Context context;
  private final Consumer<Delivery> toSelf;
  private final Map<String, Timer> byKey = new HashMap<>();

  /**
   * @param context the actor's
   */
  Timers(Time time, Context context, Consumer<Delivery> toSelf) {
    this.time = time;
    this.context = context;
    this.toSelf = toSelf;
  }

  /** Is the ticket of its own messages. */
  private final class Timer implements Delivery.Ticket {
    private final String key;
    private final Object message;
    private final long everyNanos;
    private final @Nullable TraceContext trace;
    private long dueNanos;
    private Time.@Nullable Alarm alarm;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param everyNanos 0 if it fires once
     */
    Timer(String key, Object message, long everyNanos, @Nullable TraceContext trace) {
      this.key = key;
      this.message = message;
      this.everyNanos = everyNanos;
      this.trace = trace;
    }

    void arm(long nanos) {
      dueNanos = time.nanoTime() + nanos;
      alarm = time.after(context, Duration.ofNanos(nanos), this::fired);
    }

    void cancel() {
      if (alarm != null) {
        alarm.cancel();
      }
    }

    /** A periodic one keeps its beat; one whose last message still waits adds no other. */
    void fired() {
      if (byKey.get(key) != this) {
        return;
      } else if (everyNanos > 0) {
        long lateNanos = Math.max(0, time.nanoTime() - dueNanos) % everyNanos;
        arm(everyNanos - lateNanos);
      }
      if (waiting.compareAndSet(0, 1)) {
        toSelf.accept(new Delivery(message, Reply.NONE, Delivery.NEVER, this, trace));
      }
    }

    @Override
    public void lost() {
      taken();
    }

    private void taken() {
      var unused = waiting.updateAndGet(count -> Math.max(0, count - 1));
    }

    @Override
    public boolean redeem() {
      taken();
      return everyNanos > 0 ? byKey.get(key) == this : byKey.remove(key, this);
    }

    /**
     * Not if its handler has cancelled it, or started it again, before it put the message aside.
     */
    @Override
    public boolean aside() {
      Timer running = everyNanos > 0 ? byKey.get(key) : byKey.putIfAbsent(key, this);
      if (running != this && (everyNanos > 0 || running != null)) {
        return false;
      }
      var unused = waiting.incrementAndGet();
      return true;
    }
  }

  /**
   * @param delay of a periodic one at least a millisecond
   * @param trace what its message is a part of, if it fires once; null if of nothing
   */
  void start(
      String key, Duration delay, Object message, boolean periodic, @Nullable TraceContext trace) {
    cancel(key);
    long nanos = Math.max(SHORTEST_NANOS, delay.toNanos());
    Timer timer = new Timer(key, message, periodic ? nanos : 0, periodic ? null : trace);
    byKey.put(key, timer);
    timer.arm(nanos);
  }

  void cancel(String key) {
    Timer timer = byKey.remove(key);
    if (timer != null) {
      timer.cancel();
    }
  }

  void cancelAll() {
    byKey.values().forEach(Timer::cancel);
    byKey.clear();
  }
}
