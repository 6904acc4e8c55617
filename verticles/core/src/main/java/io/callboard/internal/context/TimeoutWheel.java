package io.callboard.internal.context;

import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hashed timing wheel (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987) for
 * many timeouts, nearly all of which are removed in time. Adding and removing take a short lock of
 * one stripe each. The wheel turns when an entry is due, at least once a revolution while there are
 * entries, and otherwise not at all. Thread-safe.
 */
public final class TimeoutWheel {
  /** Milliseconds that an entry expires late at most, if the clock's thread is free. */
  static final long TICK_MILLIS = 10;

  private static final Logger log = LoggerFactory.getLogger(TimeoutWheel.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
  private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;
  private static final int BUCKETS = 512;
  private static final int STRIPES = 8;
  private static final long NEVER = Long.MAX_VALUE;

  private final Later later;
  private final LongSupplier nanoTime;
  private final long originNanos;
  private final Stripe[] stripes = new Stripe[STRIPES];

  /** Tick at which the wheel turns next. */
  private volatile long wakeTick = NEVER;

  /** Port that runs a task after some milliseconds, whatever becomes of its caller. */
  public interface Later {
    void run(long millis, Runnable task);
  }

  public TimeoutWheel(Later later, LongSupplier nanoTime) {
    this.later = later;
    this.nanoTime = nanoTime;
    this.originNanos = nanoTime.getAsLong();
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** Entry of a wheel; in one wheel at most once at a time. */
  public abstract static class Entry {
    private volatile @Nullable Stripe stripe;
    private @Nullable Entry before;
    private @Nullable Entry after;
    private long dueTick;

    /** Called without a lock when the time has passed and the entry is out of the wheel. */
    public abstract void expired();

    /** Returns whether the entry is in a wheel, as far as the calling thread knows. */
    public final boolean isWaiting() {
      return stripe != null;
    }
  }

  /** Runs {@code task} after {@code nanos}, unless it is cancelled before. */
  public Time.Alarm after(long nanos, Runnable task) {
    Entry entry =
        new Entry() {
          @Override
          public void expired() {
            task.run();
          }
        };
    add(entry, nanos);
    return () -> {
      boolean unused = remove(entry);
    };
  }

  /** Part of the wheel with a lock of its own. */
  private static final class Stripe {
    private final @Nullable Entry[] first = new @Nullable Entry[BUCKETS];
    private long passed;
    private volatile int size;

    synchronized void add(Entry entry, long nowTick) {
      if (size == 0) {
        passed = nowTick;
      }
      entry.dueTick = Math.max(entry.dueTick, passed + 1);
      int bucket = bucket(entry.dueTick);
      Entry head = first[bucket];
      entry.stripe = this;
      entry.after = head;
      if (head != null) {
        head.before = entry;
      }
      first[bucket] = entry;
      size = size + 1;
    }

    synchronized boolean remove(Entry entry) {
      if (entry.stripe != this) {
        return false;
      }
      if (entry.before != null) {
        entry.before.after = entry.after;
      } else {
        first[bucket(entry.dueTick)] = entry.after;
      }
      if (entry.after != null) {
        entry.after.before = entry.before;
      }
      entry.before = null;
      entry.after = null;
      entry.stripe = null;
      size = size - 1;
      return true;
    }

    /** Removes the next entry that is due by {@code nowTick}; null if there is none. */
    synchronized @Nullable Entry takeDue(long nowTick) {
      long from = Math.max(passed, nowTick - BUCKETS);
      for (long tick = from; tick <= nowTick && size > 0; tick++) {
        for (Entry entry = first[bucket(tick)]; entry != null; entry = entry.after) {
          if (entry.dueTick <= nowTick) {
            passed = tick;
            boolean unused = remove(entry);
            return entry;
          }
        }
      }
      passed = nowTick;
      return null;
    }

    /** Returns the tick at which to look again, after {@link #takeDue} found nothing. */
    synchronized long nextTick() {
      if (size == 0) {
        return NEVER;
      }
      for (long tick = passed + 1; tick < passed + BUCKETS; tick++) {
        for (Entry entry = first[bucket(tick)]; entry != null; entry = entry.after) {
          if (entry.dueTick <= tick) {
            return tick;
          }
        }
      }
      return passed + BUCKETS;
    }

    synchronized @Nullable Entry takeAny() {
      for (int i = 0; i < BUCKETS && size > 0; i++) {
        Entry entry = first[i];
        if (entry != null) {
          boolean unused = remove(entry);
          return entry;
        }
      }
      return null;
    }

    private static int bucket(long tick) {
      return (int) (tick & (BUCKETS - 1));
    }
  }

  /** Adds an entry that expires after {@code nanos}, unless it is removed before. */
  public void add(Entry entry, long nanos) {
    long now = nanoTime.getAsLong() - originNanos;
    long nowTick = now / TICK_NANOS;
    entry.dueTick = (now + Math.min(nanos, FOREVER_NANOS) + TICK_NANOS - 1) / TICK_NANOS;
    long tick = Math.min(entry.dueTick, nowTick + BUCKETS);
    stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)].add(entry, nowTick);
    if (tick < wakeTick) {
      wakeAt(tick, now);
    }
  }

  /** Removes an entry; false if it was not in the wheel any more. */
  public boolean remove(Entry entry) {
    Stripe stripe = entry.stripe;
    return stripe != null && stripe.remove(entry);
  }

  /** Removes all entries before their time. */
  public void drain(Consumer<Entry> taker) {
    for (Stripe stripe : stripes) {
      for (Entry entry = stripe.takeAny(); entry != null; entry = stripe.takeAny()) {
        taker.accept(entry);
      }
    }
  }

  /** Returns the approximate number of entries. */
  public int size() {
    int size = 0;
    for (Stripe stripe : stripes) {
      size += stripe.size;
    }
    return size;
  }

  private void wakeAt(long tick, long now) {
    synchronized (this) {
      if (tick >= wakeTick) {
        return;
      }
      wakeTick = tick;
    }
    long millis = (tick * TICK_NANOS - now + 999_999) / 1_000_000;
    later.run(Math.max(1, millis), () -> wake(tick));
  }

  private void wake(long tick) {
    synchronized (this) {
      if (wakeTick != tick) {
        return; // it was to turn earlier, and did
      }
      wakeTick = NEVER;
    }
    turn();
  }

  private void turn() {
    long now = nanoTime.getAsLong() - originNanos;
    long nowTick = now / TICK_NANOS;
    long nextTick = NEVER;
    for (Stripe stripe : stripes) {
      for (Entry due = stripe.takeDue(nowTick); due != null; due = stripe.takeDue(nowTick)) {
        try {
          due.expired();
        } catch (RuntimeException | Error e) {
          log.error("the listener of a timeout failed", Causes.readable(e));
        }
      }
      nextTick = Math.min(nextTick, stripe.nextTick());
    }
    if (nextTick != NEVER) {
      wakeAt(nextTick, now);
    }
  }
}
