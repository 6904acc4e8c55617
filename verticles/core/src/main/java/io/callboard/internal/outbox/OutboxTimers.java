package io.callboard.internal.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.TimerEntry;
import io.callboard.store.OutboxChange;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Durable timers of one actor: entries of its outbox whose message is relayed into its own mailbox
 * when they are due. A machine without I/O. Not thread-safe.
 *
 * <p>A timer is due by the wall clock as it was when the timer was loaded or started: a clock that
 * is set meanwhile makes it early or late by as much. Messages come in the order of their times,
 * those of one time in the order of their starts: where readings of the clock differ, the last one
 * counts for timers that were started before, too.
 */
@Machine
public final class OutboxTimers {
  /** Limit of the timers that one relay serves. */
  private static final int AT_ONCE = 32;

  private final LongSupplier nowMs;
  private final Map<Long, Timer> timers = new HashMap<>();

  /** Timers that have not fired; none is due before the one in front of it. */
  private final NavigableSet<Timer> waiting =
      new TreeSet<>(
          Comparator.<Timer>comparingLong(timer -> timer.entry.dueMs())
              .thenComparingLong(timer -> timer.number));

  private long notBeforeNanos;
  private boolean held;

  private static final class Timer {
    private final long number;
    private final TimerEntry entry;
    private long dueNanos;

    private Timer(long number, TimerEntry entry, long dueNanos) {
      this.number = number;
      this.entry = entry;
      this.dueNanos = dueNanos;
    }
  }

  OutboxTimers(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  void clear() {
    timers.clear();
    waiting.clear();
    held = false;
  }

  void put(String label, long number, byte[] bytes, long nowNanos) {
    put(number, TimerEntry.decode("timer %d of %s".formatted(number, label), bytes), nowNanos);
  }

  private void put(long number, TimerEntry entry, long nowNanos) {
    remove(number);
    long wait = TimeUnit.MILLISECONDS.toNanos(Math.max(0, entry.dueMs() - nowMs.getAsLong()));
    Timer timer = new Timer(number, entry, nowNanos + Math.min(wait, Long.MAX_VALUE / 4));
    timers.put(number, timer);
    if (!entry.fired()) {
      waiting.add(timer);
      inOrder(timer);
    }
  }

  private void inOrder(Timer timer) {
    for (Timer before : waiting.headSet(timer, false).descendingSet()) {
      if (before.dueNanos - timer.dueNanos <= 0) {
        break;
      }
      before.dueNanos = timer.dueNanos;
    }
    for (Timer behind : waiting.tailSet(timer, false)) {
      if (behind.dueNanos - timer.dueNanos >= 0) {
        break;
      }
      behind.dueNanos = timer.dueNanos;
    }
  }

  void remove(long number) {
    Timer gone = timers.remove(number);
    if (gone != null) {
      waiting.remove(gone);
    }
  }

  boolean isEmpty() {
    return timers.isEmpty();
  }

  /** Returns the number of timers that run, or whose message is not handled yet. */
  public int size() {
    return timers.size();
  }

  /** Returns the timer of that number; empty if it was cancelled. */
  public Optional<TimerEntry> find(long number) {
    return Optional.ofNullable(timers.get(number)).map(timer -> timer.entry);
  }

  /**
   * Relays the messages of timers that are due into the mailbox of their actor.
   *
   * @param room bytes that they may take, with their entries, which are written again; one is taken
   *     in any case
   */
  Outbox.@Nullable Relay next(ActorPath actor, long nowNanos, long room) {
    if (held && notBeforeNanos - nowNanos > 0) {
      return null;
    }
    List<Envelope> mail = new ArrayList<>();
    Map<Long, byte[]> fired = new LinkedHashMap<>();
    long left = room;
    for (Timer timer : waiting) {
      if (timer.dueNanos - nowNanos > 0) {
        break;
      }
      byte[] entry = timer.entry.inMailbox().encode();
      left -= entry.length + timer.entry.message().size();
      if (!mail.isEmpty() && (left < 0 || mail.size() >= AT_ONCE)) {
        break;
      }
      mail.add(timer.entry.message());
      fired.put(timer.number, entry);
    }
    return mail.isEmpty()
        ? null
        : new Outbox.Relay(
            Map.of(actor, mail),
            new OutboxChange(Map.of(), fired, List.of()),
            Map.of(),
            () -> fired(fired.keySet()));
  }

  /** Records that the timers' messages are in the mailbox. */
  private void fired(Set<Long> numbers) {
    held = false;
    for (long number : numbers) {
      Timer timer = timers.get(number);
      if (timer != null) {
        waiting.remove(timer);
        timers.put(number, new Timer(number, timer.entry.inMailbox(), timer.dueNanos));
      }
    }
  }

  /** Reports that the mailbox has no room before that time. */
  void full(long untilNanos) {
    held = true;
    notBeforeNanos = untilNanos;
  }

  /** Returns the nanoseconds until one is due, at least 0; negative for never. */
  long waitNanos(long nowNanos) {
    if (waiting.isEmpty()) {
      return -1;
    }
    long due = Math.max(0, waiting.first().dueNanos - nowNanos);
    return held ? Math.max(due, notBeforeNanos - nowNanos) : due;
  }
}
