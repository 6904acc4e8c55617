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
 * Timers of one started actor object, by key. The message of a timer that was cancelled or started
 * again is dropped, even if it waits in the mailbox or the stash already. Used on the actor's
 * context only.
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

  /** One timer; the ticket of its messages. */
  private final class Timer implements Delivery.Ticket {
    private final String key;
    private final Object message;
    private final long everyNanos;
    private final @Nullable TraceContext trace;
    private long dueNanos;
    private Time.@Nullable Alarm alarm;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param everyNanos the period in nanoseconds; 0 if it fires once
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

    /**
     * Fires; a periodic timer keeps its rate, and adds no message while its last one still waits.
     */
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
    public boolean isOwn() {
      return true;
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
     * Refused if the handler cancelled the timer, or started it again, before it stashed the
     * message.
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
   * @param delay at least a millisecond for a periodic timer
   * @param trace the trace of the message of a timer that fires once; null if it has none
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
