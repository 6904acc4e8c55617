package io.callboard.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.TimerEntry;
import io.callboard.store.OutboxChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The durable timers of one actor: entries of its outbox whose message is relayed into its own
 * mailbox when they are due. A machine without I/O. Not thread-safe.
 *
 * <p>When a timer is due is told by the wall clock as it was when the timer was loaded or started:
 * a clock that is set meanwhile makes it early or late by as much.
 */
public final class OutboxTimers {
  /** Timers that one relay serves at most. */
  private static final int AT_ONCE = 32;

  private final LongSupplier nowMs;
  private final Map<Long, Timer> timers = new TreeMap<>();
  private long notBeforeNanos;
  private boolean held;

  private record Timer(TimerEntry entry, long dueNanos) {
    boolean isDue(long nowNanos) {
      return !entry.fired() && dueNanos - nowNanos <= 0;
    }
  }

  OutboxTimers(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  void clear() {
    timers.clear();
    held = false;
  }

  void put(String label, long number, byte[] bytes, long nowNanos) {
    put(number, TimerEntry.decode("timer %d of %s".formatted(number, label), bytes), nowNanos);
  }

  private void put(long number, TimerEntry entry, long nowNanos) {
    long wait = TimeUnit.MILLISECONDS.toNanos(Math.max(0, entry.dueMs() - nowMs.getAsLong()));
    timers.put(number, new Timer(entry, nowNanos + Math.min(wait, Long.MAX_VALUE / 4)));
  }

  /** A turn that changed them is durable. */
  void changed(OutboxChange change, long nowNanos) {
    if (change == OutboxChange.NONE) {
      return;
    }
    timers.keySet().removeAll(change.gone());
    change.made().forEach((number, bytes) -> put("its actor", number, bytes, nowNanos));
    change.kept().forEach((number, bytes) -> put("its actor", number, bytes, nowNanos));
  }

  boolean isEmpty() {
    return timers.isEmpty();
  }

  /** Timers that run, or whose message is not handled yet. */
  public int size() {
    return timers.size();
  }

  /** The timer of that number; empty if it was cancelled. */
  public Optional<TimerEntry> find(long number) {
    return Optional.ofNullable(timers.get(number)).map(Timer::entry);
  }

  /**
   * Puts the messages of those that are due into the mailbox of their actor.
   *
   * @param room bytes that they may take, with their entries, which are written again; one is taken
   *     all the same
   */
  Outbox.@Nullable Relay next(ActorPath actor, long nowNanos, long room) {
    if (timers.isEmpty() || (held && notBeforeNanos - nowNanos > 0)) {
      return null;
    }
    List<Envelope> mail = new ArrayList<>();
    Map<Long, byte[]> fired = new LinkedHashMap<>();
    long left = room;
    for (Map.Entry<Long, Timer> each : timers.entrySet()) {
      Timer timer = each.getValue();
      if (!timer.isDue(nowNanos)) {
        continue;
      }
      byte[] entry = timer.entry().inMailbox().encode();
      left -= entry.length + timer.entry().message().size();
      if (!mail.isEmpty() && (left < 0 || mail.size() >= AT_ONCE)) {
        break; // those behind it in the order of their starts wait, too
      }
      mail.add(timer.entry().message());
      fired.put(each.getKey(), entry);
    }
    return mail.isEmpty()
        ? null
        : new Outbox.Relay(
            Map.of(actor, mail), Map.of(), new OutboxChange(Map.of(), fired, List.of()));
  }

  /** Their messages are in the mailbox. */
  void fired(OutboxChange change) {
    held = false;
    for (long number : change.kept().keySet()) {
      timers.computeIfPresent(
          number, (n, timer) -> new Timer(timer.entry().inMailbox(), timer.dueNanos()));
    }
  }

  /** There is no room in the mailbox before that time. */
  void full(long untilNanos) {
    held = true;
    notBeforeNanos = untilNanos;
  }

  /** Nanoseconds until one is due, at least 0; negative for never. */
  long waitNanos(long nowNanos) {
    long least = -1;
    for (Timer timer : timers.values()) {
      if (!timer.entry().fired()) {
        long due = Math.max(0, timer.dueNanos() - nowNanos);
        long wait = held ? Math.max(due, notBeforeNanos - nowNanos) : due;
        least = least < 0 ? wait : Math.min(least, wait);
      }
    }
    return least;
  }
}
