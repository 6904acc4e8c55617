package io.callboard.internal.outbox;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.TimerEntry;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.internal.turn.OutboxEntryChange;
import io.callboard.internal.turn.Turn;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.StoredOutbox;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Durable timers of one actor, as of the messages handled so far. Changes to them are part of the
 * turn. Used on the actor's context.
 *
 * <p>A timer is an entry of the actor's outbox, under a number that no other one ever had. When it
 * is due the relay puts its message into the actor's own mailbox and marks the entry; the turn that
 * handles the message removes the entry. A message without an entry is not handled: its timer was
 * cancelled meanwhile.
 */
public final class DurableTimers {
  /** Limit of an actor's timers. */
  static final int MOST = 1_000;

  /** Limit of the characters of a key. */
  static final int MOST_KEY = 200;

  private final ActorPath actor;
  private final LongSupplier nowMs;
  private final Map<String, Long> byKey = new HashMap<>(0);
  private final Map<Long, TimerEntry> entries = new HashMap<>(0);
  private final OutboxEntryIds numbers;

  /**
   * @param nowMs the wall clock
   * @throws io.callboard.codecs.CodecException if one cannot be read
   */
  public DurableTimers(ActorPath actor, Loaded loaded, OutboxEntryIds numbers, LongSupplier nowMs) {
    this.actor = actor;
    this.numbers = numbers;
    this.nowMs = nowMs;
    for (StoredOutbox stored : loaded.outbox()) {
      if (TimerEntry.is(stored.bytes())) {
        String what = "timer %d of %s".formatted(stored.number(), actor);
        put(stored.number(), TimerEntry.decode(what, stored.bytes()));
      }
    }
  }

  private void put(long number, TimerEntry entry) {
    byKey.put(entry.key(), number);
    entries.put(number, entry);
  }

  /**
   * Starts a timer with the turn, replacing the one of the same key.
   *
   * @param delay at least a millisecond for a periodic timer
   * @throws IllegalArgumentException for a key beyond its limit
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE}
   * @throws IllegalStateException if there are too many
   */
  public void start(Turn turn, String key, Duration delay, Object message, boolean periodic) {
    if (key.isEmpty() || key.length() > MOST_KEY) {
      throw new IllegalArgumentException(
          "the key of a durable timer has 1 to %d characters, not %d"
              .formatted(MOST_KEY, key.length()));
    }
    int others = entries.size() - (byKey.containsKey(key) ? 1 : 0);
    if (others >= MOST) {
      throw new IllegalStateException(
          "%s has %d durable timers, which is the limit".formatted(actor, MOST));
    }
    Envelope envelope = Envelopes.of(new MessageId(actor.toString(), 0), actor, message, null);
    if (envelope.bytes() > Limits.INLINE_BYTES) {
      throw CallboardException.tooLarge(
          "the message of durable timer \"%s\" of %s".formatted(key, actor),
          envelope.bytes(),
          Limits.INLINE_BYTES);
    }
    cancel(turn, key);
    long number = numbers.next();
    long millis = delay.toMillis();
    long due = nowMs.getAsLong() + millis;
    Envelope sent =
        envelope
            .withId(id(actor, number, due))
            .with(new Handling(0, 0, number))
            .with(periodic ? null : turn.trace());
    TimerEntry entry = new TimerEntry(key, due, periodic ? millis : 0, false, sent);
    put(number, entry);
    turn.entry(new OutboxEntryChange(number, entry, true));
  }

  /**
   * Cancels the timer of that key with the turn; its message is not handled any more.
   *
   * @return whether there was one
   */
  @CanIgnoreReturnValue
  public boolean cancel(Turn turn, String key) {
    Long number = byKey.remove(key);
    if (number != null) {
      entries.remove(number);
      turn.entry(new OutboxEntryChange(number, null, false));
    }
    return number != null;
  }

  /** Cancels all timers with the turn. */
  public void cancelAll(Turn turn) {
    Set.copyOf(byKey.keySet()).forEach(key -> cancel(turn, key));
  }

  /** Returns whether the message of that timer is to be handled. */
  public boolean isRunning(long number) {
    return entries.containsKey(number);
  }

  /**
   * Records that the message of a timer is handled: its entry is removed with the turn. A periodic
   * timer starts again, at the next of its times that has not passed.
   */
  public void handled(Turn turn, long number) {
    TimerEntry entry = entries.get(number);
    if (entry == null) {
      return; // the handler has cancelled it, or started it anew
    }
    if (entry.everyMs() == 0) {
      cancel(turn, entry.key());
      return;
    }
    TimerEntry next = next(actor, number, entry, nowMs.getAsLong());
    put(number, next);
    turn.entry(new OutboxEntryChange(number, next, false));
  }

  /** Records that the message of a timer was parked; if it was the last one, the timer ends. */
  public void parked(long number) {
    TimerEntry entry = entries.get(number);
    if (entry != null && entry.everyMs() == 0) {
      entries.remove(number);
      byKey.remove(entry.key(), number);
    }
  }

  /** Returns the change of a timer's entry when its message is parked. */
  public static OutboxEntryChange afterParking(
      ActorPath actor, long number, TimerEntry entry, long nowMs) {
    TimerEntry next = entry.everyMs() == 0 ? null : next(actor, number, entry, nowMs);
    return new OutboxEntryChange(number, next, false);
  }

  /**
   * Returns the id of a timer's message: each timer is a sender of its own, whose messages are
   * numbered by their times.
   */
  private static MessageId id(ActorPath actor, long number, long dueMs) {
    return new MessageId(actor + "~" + number, dueMs);
  }

  /** Returns the timer at its next time. */
  private static TimerEntry next(ActorPath actor, long number, TimerEntry entry, long nowMs) {
    long missed = Math.max(0, nowMs - entry.dueMs()) / entry.everyMs();
    long due = entry.dueMs() + (missed + 1) * entry.everyMs();
    Envelope message = entry.message().withId(id(actor, number, due));
    return new TimerEntry(entry.key(), due, entry.everyMs(), false, message);
  }
}
