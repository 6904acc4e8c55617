package io.callboard.internal.outbox;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Reason;
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
 * Commits the units of one durable actor, one at a time, and relays its outbox between them. A
 * machine without I/O: {@link #next} says what to submit, {@link #result} takes the outcome. Not
 * thread-safe.
 *
 * <p>A unit that finds a mailbox full waits, as long as its receiver wishes that. An actor whose
 * own mailbox is full too does not wait for ever: after {@link #PATIENCE_NANOS} it leaves the
 * message in its outbox and goes on, so that actors waiting for each other in a ring make progress.
 */
@Machine
public final class RelayMachine {
  /** Nanoseconds for which an actor whose own mailbox is full waits for room in another. */
  public static final long PATIENCE_NANOS = 1_000_000_000L;

  /** Limit of the receivers that one commit of an actor serves; further ones are relayed. */
  public static final int MOST_RECEIVERS = Limits.RELAY_RECEIVERS;

  private final ActorPath actor;
  private final Outbox outbox;
  private final BooleanSupplier ownMayBeFull;
  private final Outbox.Pause pause;
  private @Nullable PostedUnit postedUnit;
  private Outbox.@Nullable Relay relay;
  private boolean underWay;
  private boolean relayIsNext;

  /** Consequence of a result. */
  public sealed interface Outcome {
    /** Ask for the next unit. */
    record GoOn() implements Outcome {}

    /**
     * The unit last posted is durable.
     *
     * @param dropped messages that their receivers' mailboxes drop
     */
    record Posted(Map<ActorPath, List<Envelope>> dropped) implements Outcome {}

    /** The record was written again unchanged: its version is one higher. */
    record Relayed() implements Outcome {}

    /**
     * Outcome that nothing can be sent to the receiver, which is news: the messages to it stay in
     * the outbox and are tried again, all others go on.
     */
    record Stuck(ActorPath receiver, String why) implements Outcome {}

    /** A relay was not committed; its messages are still in the outbox. */
    record NotRelayed(Result result) implements Outcome {}

    /**
     * The unit last posted was not committed and is not tried again.
     *
     * @param full the receiver whose full mailbox refuses messages; empty for another reason
     */
    record Failed(Result result, Optional<ActorPath> full) implements Outcome {}
  }

  /**
   * @param ownMayBeFull whether the mailbox of the actor itself is full, as far as is known
   * @param pause between attempts to find room
   */
  public RelayMachine(
      ActorPath actor, Outbox outbox, BooleanSupplier ownMayBeFull, Outbox.Pause pause) {
    this.actor = actor;
    this.outbox = outbox;
    this.ownMayBeFull = ownMayBeFull;
    this.pause = pause;
  }

  /**
   * Posts a unit that writes the actor.
   *
   * @throws IllegalStateException if the one before it has not ended: its outcome would be taken
   *     for that of the new one
   */
  public void post(CommitUnit unit, long nowNanos) {
    if (postedUnit != null) {
      throw new IllegalStateException("a unit of " + actor + " is posted already");
    }
    Write write =
        unit.write().orElseThrow(() -> new IllegalArgumentException("a unit without a write"));
    postedUnit = new PostedUnit(write, unit, outbox, MOST_RECEIVERS, nowNanos);
  }

  /**
   * Returns the unit to submit now; null if there is none, see {@link #waitNanos}.
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

  /**
   * Ends the unit last posted if what is stuck leaves it no room in the outbox: it would wait until
   * an operator acts, and with it the actor. To be asked before {@link #next}.
   *
   * @return its failure; empty if it is not ended
   */
  public Optional<Outcome.Failed> refused() {
    PostedUnit waiting = postedUnit;
    if (underWay || waiting == null) {
      return Optional.empty();
    }
    Optional<String> why = waiting.blocked();
    why.ifPresent(blocked -> postedUnit = null);
    return why.map(
        blocked ->
            new Outcome.Failed(new Result.Failed(Reason.CORRUPT, blocked), Optional.empty()));
  }

  private Outbox.@Nullable Relay relay(ActorRecord record, long nowNanos) {
    return outbox.waitNanos(nowNanos) != 0
        ? null
        : outbox.next(actor, nowNanos, Limits.UNIT_BYTES - (long) record.encode().length);
  }

  /** Returns the nanoseconds after which something may be due, at least 0; negative for never. */
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

  /**
   * Returns the nanoseconds for which the unit last posted has waited for room; 0 if none waits.
   */
  public long waitedNanos(long nowNanos) {
    return postedUnit == null ? 0 : postedUnit.waitedNanos(nowNanos);
  }

  /** Returns whether the unit last posted waits for room, in a mailbox or in the outbox. */
  public boolean waitsForRoom(long nowNanos) {
    return postedUnit != null
        && !underWay
        && (postedUnit.dueNanos() - nowNanos > 0 || !postedUnit.fits());
  }

  /**
   * Drops the unit last posted if it is not under way.
   *
   * @return whether there was one
   */
  public boolean giveUp() {
    boolean waits = postedUnit != null && (!underWay || relay != null);
    if (waits) {
      postedUnit = null;
    }
    return waits;
  }

  /** Takes the outcome of the last unit that {@link #next} gave. */
  public Outcome result(Result result, long nowNanos) {
    underWay = false;
    Outbox.Relay relayed = relay;
    relay = null;
    if (relayed != null) {
      return relayResult(relayed, result, nowNanos);
    }
    PostedUnit posted = postedUnit;
    if (posted == null) {
      throw new IllegalStateException("no commit of " + actor + " is under way");
    }
    if (result instanceof Result.Full full) {
      return full(posted, full, nowNanos);
    }
    if (result instanceof Result.Failed failed && staysInOutbox(posted, failed)) {
      return new Outcome.Stuck(failed.receiver().orElseThrow(), failed.detail());
    }
    postedUnit = null;
    if (result instanceof Result.Committed) {
      posted.committed(pause, nowNanos);
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
    } else if (result instanceof Result.Failed failed && isOfLane(relayed, failed)) {
      ActorPath receiver = failed.receiver().orElseThrow();
      boolean news = outbox.stuck(receiver, failed.detail(), pause, nowNanos);
      return news ? new Outcome.Stuck(receiver, failed.detail()) : new Outcome.GoOn();
    }
    return new Outcome.NotRelayed(result);
  }

  /**
   * Returns whether a relay failed for the sake of one lane. An own mailbox that cannot be read or
   * written ends the life: the next one, which reads it, says what is wrong.
   */
  private boolean isOfLane(Outbox.Relay relayed, Result.Failed failed) {
    return failed
        .receiver()
        .filter(receiver -> relayed.mail().containsKey(receiver) && outbox.holds(receiver))
        .filter(receiver -> !receiver.equals(actor) || failed.reason() == Reason.STALE)
        .isPresent();
  }

  /**
   * Returns whether messages of the unit stay in the outbox, since their receiver's mailbox cannot
   * be read or written. If the blob of one has gone, its turn is made again, with another blob.
   */
  private boolean staysInOutbox(PostedUnit posted, Result.Failed failed) {
    return (failed.reason() == Reason.CORRUPT || failed.reason() == Reason.DENIED)
        && failed
            .receiver()
            .filter(receiver -> !receiver.equals(actor))
            .filter(receiver -> posted.stuck(receiver, failed.detail()))
            .isPresent();
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
