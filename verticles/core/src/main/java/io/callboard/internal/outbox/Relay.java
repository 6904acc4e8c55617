package io.callboard.internal.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.Limits;
import io.callboard.store.WhenFull;
import io.callboard.time.Machine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the units of one durable actor to their commits, one at a time, and between them relays
 * what is in its outbox. A machine without I/O: {@link #next} says what to submit, {@link #result}
 * takes what became of it. Not thread-safe.
 *
 * <p>A unit that finds a mailbox full waits, as long as its receiver wishes that. An actor whose
 * own mailbox is full too does not wait for ever: after {@link #PATIENCE_NANOS} it leaves the
 * message in its outbox and goes on, so that actors that wait for each other in a ring move.
 */
@Machine
public final class Relay {
  /** How long an actor whose own mailbox is full waits for another that is. */
  public static final long PATIENCE_NANOS = 1_000_000_000L;

  /** Receivers that one commit of an actor serves at most; further ones are relayed. */
  public static final int MOST_RECEIVERS = 200;

  private final ActorPath actor;
  private final Outbox outbox;
  private final BooleanSupplier ownMayBeFull;
  private final Outbox.Pause pause;
  private @Nullable PostedUnit postedUnit;
  private Outbox.@Nullable Relay relay;
  private boolean underWay;
  private boolean relayIsNext;

  /** What follows from a result. */
  public sealed interface Outcome {
    /** Ask for what is next. */
    record GoOn() implements Outcome {}

    /**
     * The unit last posted is durable.
     *
     * @param dropped what its receivers did not want
     */
    record Posted(Map<ActorPath, List<Envelope>> dropped) implements Outcome {}

    /** The record was written again, with what it held: its version is one higher. */
    record Relayed() implements Outcome {}

    /** A relay was not committed; what it held is in the outbox still. */
    record NotRelayed(Result result) implements Outcome {}

    /**
     * The unit last posted was not committed and is not tried again.
     *
     * @param full the receiver that refuses what it has no room for; empty for another reason
     */
    record Failed(Result result, Optional<ActorPath> full) implements Outcome {}
  }

  /**
   * @param ownMayBeFull whether the mailbox of the actor itself is full, as far as is known
   * @param pause between attempts to find room
   */
  public Relay(ActorPath actor, Outbox outbox, BooleanSupplier ownMayBeFull, Outbox.Pause pause) {
    this.actor = actor;
    this.outbox = outbox;
    this.ownMayBeFull = ownMayBeFull;
    this.pause = pause;
  }

  /** A unit that writes the actor; the one before it has come to its end. */
  public void post(CommitUnit unit, long nowNanos) {
    Write write =
        unit.write().orElseThrow(() -> new IllegalArgumentException("a unit without a write"));
    postedUnit = new PostedUnit(write, unit, outbox, MOST_RECEIVERS, nowNanos);
  }

  /**
   * What to submit now; null if nothing, see {@link #waitNanos}.
   *
   * @param record as last committed, of that version
   */
  public @Nullable CommitUnit next(ActorRecord record, int version, long nowNanos) {
    if (underWay) {
      return null;
    }
    PostedUnit waiting = postedUnit;
    boolean ready = waiting != null && waiting.dueNanos() - nowNanos <= 0 && waiting.fits();
    Outbox.Relay due = ready && !relayIsNext ? null : relay(record, nowNanos);
    relayIsNext = false;
    if (due != null) {
      Write unchanged =
          new Write(actor, version, record, List.of(), JournalChange.NONE, due.parked(), null);
      CommitUnit unit = new CommitUnit(Optional.of(unchanged.withOutbox(due.change())), due.mail());
      underWay = true;
      relay = due;
      return unit;
    } else if (waiting != null && ready) {
      CommitUnit unit = waiting.unit(version);
      underWay = true;
      return unit;
    }
    return null;
  }

  private Outbox.@Nullable Relay relay(ActorRecord record, long nowNanos) {
    return outbox.waitNanos(nowNanos) != 0
        ? null
        : outbox.next(actor, nowNanos, Limits.UNIT_BYTES - (long) record.encode().length);
  }

  /** Nanoseconds after which something may be due, at least 0; negative for never. */
  public long waitNanos(long nowNanos) {
    long relays = outbox.waitNanos(nowNanos);
    if (underWay) {
      return -1;
    } else if (postedUnit == null || !postedUnit.fits()) {
      return relays;
    }
    long own = Math.max(0, postedUnit.dueNanos() - nowNanos);
    return Outbox.sooner(own, relays);
  }

  /** How long the unit last posted has waited for room; 0 if none does. */
  public long waitedNanos(long nowNanos) {
    return postedUnit == null ? 0 : postedUnit.waitedNanos(nowNanos);
  }

  /** Whether the unit last posted waits for room, in a mailbox or in the outbox. */
  public boolean waitsForRoom(long nowNanos) {
    return postedUnit != null
        && !underWay
        && (postedUnit.dueNanos() - nowNanos > 0 || !postedUnit.fits());
  }

  /** Drops the unit last posted if it is not under way; whether there was one. */
  public boolean giveUp() {
    boolean waits = postedUnit != null && (!underWay || relay != null);
    if (waits) {
      postedUnit = null;
    }
    return waits;
  }

  /** What became of the last unit that {@link #next} gave. */
  public Outcome result(Result result, long nowNanos) {
    underWay = false;
    Outbox.Relay relayed = relay;
    relay = null;
    if (relayed != null) {
      return relayResult(relayed, result, nowNanos);
    }
    PostedUnit posted = postedUnit;
    if (posted == null) {
      throw new IllegalStateException("nothing of " + actor + " is under way");
    }
    if (result instanceof Result.Full full) {
      return full(posted, full, nowNanos);
    }
    postedUnit = null;
    if (result instanceof Result.Committed) {
      posted.committed(nowNanos);
      relayIsNext = !outbox.isEmpty();
      return new Outcome.Posted(posted.dropped());
    }
    return new Outcome.Failed(result, Optional.empty());
  }

  private Outcome relayResult(Outbox.Relay relayed, Result result, long nowNanos) {
    if (result instanceof Result.Committed) {
      relayed.applied().run();
      return new Outcome.Relayed();
    } else if (result instanceof Result.Full full) {
      outbox.full(actor, full.receiver(), pause, nowNanos);
      return new Outcome.GoOn();
    }
    return new Outcome.NotRelayed(result);
  }

  private Outcome full(PostedUnit posted, Result.Full full, long nowNanos) {
    if (full.whenFull() == WhenFull.REJECT) {
      postedUnit = null;
      return new Outcome.Failed(full, Optional.of(full.receiver()));
    } else if (full.whenFull() == WhenFull.DROP) {
      posted.drop(full.receiver());
      return new Outcome.GoOn();
    }
    boolean mayStay =
        full.whenFull() == WhenFull.PARK
            || (ownMayBeFull.getAsBoolean() && posted.waitedNanos(nowNanos) >= PATIENCE_NANOS);
    if (!mayStay || !posted.spill(full.receiver())) {
      posted.pause(pause, nowNanos);
    }
    return new Outcome.GoOn();
  }
}
