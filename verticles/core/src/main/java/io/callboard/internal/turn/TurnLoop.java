package io.callboard.internal.turn;

import io.callboard.DeliveryMode;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.turn.TurnState.Phase;
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what one durable actor does next. A machine without I/O; not thread-safe.
 *
 * <p>{@link #next()} says what to do, by the first {@link TurnRule} whose condition holds; the
 * carrier does it and tells the outcome with the method named in the {@link TurnStep}.
 */
@Machine
public final class TurnLoop {
  /** Messages put aside at most, of a mailbox with room for four times as many. */
  static final int MOST_ASIDE = 1_000;

  private final TurnState state;
  private TurnRule rule = TurnRule.BUSY;

  /**
   * @param mostAttempts after which a message is parked; an at-most-once actor makes one
   * @param label names the mailbox in errors
   * @param delivery one of the durable ones
   * @param header limit and wish of the mailbox
   * @param lost told of messages that an at-most-once actor consumed in vain
   */
  public TurnLoop(
      String label,
      int mostAttempts,
      DeliveryMode delivery,
      MailboxHeader header,
      LongSupplier nanoTime,
      Consumer<AtMostOnceWindow.Lost> lost) {
    this.state = new TurnState(label, mostAttempts, delivery, header, nanoTime, lost);
  }

  /** What tells whether there is something to commit besides turns. */
  public void chores(BooleanSupplier tells) {
    state.chores = tells;
  }

  public DeliveryMode delivery() {
    return state.delivery;
  }

  /** Messages that may be put aside. */
  public int mostAside() {
    return state.mostAside();
  }

  /**
   * The actor was read; from here on it works. What survives: the attempts of the next message,
   * messages that are consumed already, and what the actor told itself and did not handle.
   */
  public void loaded(Loaded loaded) {
    state.loaded(loaded);
  }

  /** What it is told of new mail. */
  public Doorbell doorbell() {
    return state.doorbell;
  }

  /** What was told the actor here and is in no mailbox. */
  public MailboxBypass direct() {
    return state.direct;
  }

  /**
   * Whether that message is handled without being stored first; see {@link MailboxBypass#offer}.
   *
   * @param room whether the node has room for it
   */
  public boolean offer(BypassMessage message, boolean room) {
    return state.direct.offer(message, room && state.takesDirect());
  }

  /** Whether the actor's own message was taken; false if too many wait. */
  public boolean offer(Delivery delivery) {
    return state.own.offer(delivery);
  }

  /**
   * What the actor told itself and nobody will make durable: what this life has handled or was
   * handling; of one that ends for good, all that waits too. To be asked before the loop is told.
   */
  public List<Delivery> loseOwn(boolean forGood) {
    List<Delivery> lost = new ArrayList<>();
    if (state.isUp()) {
      state.batch.turns().stream().flatMap(HandledMessage::told).forEach(lost::add);
      Delivery current = state.own.done();
      if (current != null) {
        lost.add(current);
      }
    }
    if (forGood) {
      lost.addAll(state.own.drain());
    }
    return lost;
  }

  /** Nothing new is begun any more, in this life: what was handled is committed. */
  public void rest() {
    state.resting = true;
  }

  /** Whether all that was begun is durable. */
  public boolean isAtRest() {
    return state.phase == Phase.IDLE
        && state.pending == null
        && state.batch.isEmpty()
        && state.committing.isEmpty()
        && state.ahead.isEmpty()
        && !state.bypassSettlement.isPending();
  }

  public TurnStep next() {
    if (state.phase == Phase.IDLE) {
      settle();
    }
    state.lookAtMail();
    rule = TurnRule.of(state);
    return rule.take(state);
  }

  /** By which the last {@link #next()} went. */
  TurnRule rule() {
    return rule;
  }

  /** What was handled of bypass messages goes on, once it is known where they are. */
  private void settle() {
    settlePlaces();
    if (!state.bypassSettlement.isPending() && state.batch.hasDirect() && state.batch.lasts()) {
      state.direct.place();
      settlePlaces();
    }
  }

  private void settlePlaces() {
    BypassSettlement.Failed failure =
        state.bypassSettlement.isPending() ? null : state.bypassSettlement.settle();
    if (failure != null) {
      state.current = failure.place();
      failed(failure.cause());
    }
  }

  /** The body of the last {@link TurnStep.Fetch}. */
  public void fetched(byte[] body) {
    if (state.phase == Phase.FETCHING) {
      state.phase = Phase.IDLE;
      state.inFlightMail.fetched(body);
    }
  }

  /** The body of the last {@link TurnStep.Fetch} is not there: the message is parked. */
  public void lacking(Throwable cause) {
    if (state.phase == Phase.FETCHING) {
      state.phase = Phase.IDLE;
      state.inFlightMail.broken(cause);
    }
  }

  /**
   * The first of the last {@link TurnStep.HandleMail} were handled; what comes after the end goes
   * back.
   */
  public void handledMail(List<Turn> turns, SliceResult end) {
    if (state.direct.isHandedOut()) {
      state.phase = Phase.IDLE;
      state.bypassSettlement.handled(turns, end);
      settlePlaces();
      return;
    }
    List<MailboxMessage> handled =
        state.inFlightMail.handled(turns.size(), !(end instanceof SliceResult.Paused));
    for (int i = 0; i < turns.size(); i++) {
      if (turns.get(i).isAside()) {
        state.mail.lanes().putAside(handled.get(i));
        state.trial.putAside(handled.get(i));
      } else {
        add(state.consumesFirst() ? null : handled.get(i), null, turns.get(i));
      }
      release(turns.get(i));
    }
    state.phase = Phase.IDLE;
    if (state.consumesFirst()) {
      endedAhead(end);
    } else if (end instanceof SliceResult.Failed failed) {
      state.current = state.inFlightMail.begun();
      failed(failed.cause());
    } else if (end instanceof SliceResult.Unreadable broken) {
      state.inFlightMail.broken(broken.cause());
    }
  }

  /** The message that failed is consumed: it is not tried again. */
  private void endedAhead(SliceResult end) {
    if (end instanceof SliceResult.Failed failed) {
      state.ahead.failed(failed.cause());
      state.current = null;
      failed(failed.cause());
    } else if (end instanceof SliceResult.Unreadable broken) {
      state.ahead.failed(broken.cause());
    }
  }

  private void add(@Nullable MailboxMessage mailboxMessage, @Nullable Delivery itself, Turn turn) {
    HandledMessage handled =
        mailboxMessage == null
            ? new HandledMessage(null, itself, null, turn)
            : HandledMessage.stored(mailboxMessage, turn);
    state.batch.add(handled, state.now());
  }

  public void read(StoredMail read) {
    if (state.phase == Phase.READING) {
      state.phase = Phase.IDLE;
      state.doorbell.read(read, state.batch.consumed() + state.direct.placed());
    }
  }

  /** The handler of the actor's own message succeeded. */
  public void handled(Turn turn) {
    add(null, state.own.done(), turn);
    release(turn);
    state.phase = Phase.IDLE;
  }

  /** What was put aside comes next, if the turn says so; nothing was handled in the slice since. */
  private void release(Turn turn) {
    if (turn.releases()) {
      state.mail.lanes().release(turn.released());
    }
  }

  /** The handler failed. A stored message stays; one of the actor's own is gone. */
  public void failed(Throwable cause) {
    if (state.current != null) {
      state.trial.failed(state.current, cause);
    }
    state.pending = cause;
    state.own.done();
    state.phase = Phase.IDLE;
  }

  /** The turns of the last {@link TurnStep.CommitTurns} changed nothing durable. */
  public void nothingToCommit() {
    state.committing.clear();
    state.ahead.committed();
    state.phase = Phase.IDLE;
  }

  /** Whether it counts as an attempt of a message, or more, if the last commit is refused. */
  public boolean isAttempt() {
    return !state.consumesFirst() && state.committing.mail() > 0;
  }

  /**
   * The unit of the last commit step cannot be committed as it is. Several messages are tried again
   * one by one; a single one has used up an attempt. What the actor told itself is not tried again,
   * nor are those of an at-most-once actor: they are lost.
   */
  public void refused(Throwable cause) {
    if (state.consumesFirst()) {
      state.close(Phase.UNLOADED);
      return;
    }
    MailboxMessage only = state.committing.only();
    BypassMessage alone = state.committing.onlyDirect();
    if (only != null) {
      state.trial.failed(only, cause);
    } else if (alone != null) {
      state.trial.failed(alone.id(), cause);
    } else {
      state.trial.failedTogether(state.committing.mail());
    }
    state.close(Phase.UNLOADED);
  }

  /** The last {@link TurnStep.CommitTurns} was not committed, and is given again. */
  public void takeBack(TurnStep.CommitTurns step) {
    state.direct.takenBack(step.turns());
    state.committing.take(state.batch);
    state.batch.take(state.committing);
    state.committed();
  }

  /**
   * What the commit of the last {@link TurnStep.CommitTurns} or {@link TurnStep.Park} tells
   * senders.
   */
  public @Nullable MailboxHeader header() {
    return state.consumption.header(state.current);
  }

  /** Whether the mailbox takes what the turns to be committed send to their own actor. */
  public boolean takesOwn(int sent) {
    return state.backlog.takesOwn(sent - state.consumption.count(state.current));
  }

  /** Whether the mailbox is full, or may be: there is mail that nobody has counted. */
  public boolean mayBeFull() {
    return state.backlog.isFull() || state.mail.mayHaveMore();
  }

  /** The record was written again as it is. */
  public void relayed() {
    state.version = StoredRecord.following(state.version);
  }

  /**
   * The unit of the last {@link TurnStep.CommitTurns} or {@link TurnStep.Park} is durable.
   *
   * @return the failure that led to the message just parked: its actor object must be replaced
   *     although the message is out of the way; null if there is none
   */
  public @Nullable Throwable committed(ActorRecord written) {
    state.record = written;
    state.version = StoredRecord.following(state.version);
    state.consumption.committed(state.current, written.consumed());
    state.committed();
    state.ahead.committed();
    if (!state.committing.isEmpty()) {
      state.trial.committed(state.committing.consumed(), written.consumed());
      state.committing.clear();
      return null;
    }
    if (state.current == null) {
      return null; // only the header
    }
    Throwable behind = state.pending;
    state.trial.committed(1, written.consumed());
    state.current = null;
    state.pending = null;
    if (behind != null) {
      state.close(Phase.UNLOADED);
    }
    return behind;
  }

  /** The life ended: nothing more is done until it is loaded again. */
  public void unload(Throwable cause) {
    if (state.phase != Phase.COMMITTING) {
      state.ahead.loseOpen(cause);
    }
    state.close(Phase.UNLOADED);
  }

  /** Another node runs the actor. */
  public void disowned(Throwable cause) {
    state.trial.end();
    state.close(Phase.UNLOADED);
    state.ahead.loseAll(cause);
  }

  public void stop(Throwable cause) {
    state.close(Phase.STOPPED);
    state.ahead.loseAll(cause);
  }

  /** The unit of that step is not durable and will not be; its life cannot go on. */
  public void notCommitted(TurnStep.CommitTurns step, Throwable cause) {
    state.ahead.notCommitted(step, cause);
  }

  /**
   * The unit of that step was under way when the life ended, and is durable, or may be. An
   * at-most-once actor must not be loaded before that is known, unless it was disowned.
   *
   * @param cause why what it consumed is lost if the actor does not run here any more
   */
  public void landed(TurnStep.CommitTurns step, Throwable cause) {
    state.ahead.landed(step, cause);
  }

  public ActorRecord record() {
    return state.record;
  }

  public int version() {
    return state.version;
  }

  /** Messages that wait in the mailbox, as far as is known. */
  public long waiting() {
    return state.backlog.messages();
  }

  /** The segment that comes after those in memory. */
  public long unread() {
    return state.mail.next();
  }

  /** How often the present message failed. */
  public int attempts() {
    return state.trial.attempts();
  }

  /** Messages read ahead and own ones. */
  public int queued() {
    return state.queued();
  }

  /** Whether nothing is under way and nothing is known to wait. */
  public boolean idle() {
    return state.phase == Phase.IDLE
        && queued() == 0
        && !state.mail.mayHaveMore()
        && state.pending == null;
  }
}
