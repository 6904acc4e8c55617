package io.callboard.turn;

import io.callboard.DeliveryMode;
import io.callboard.mailbox.Delivery;
import io.callboard.store.ActorRecord;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import io.callboard.turn.TurnState.Phase;
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
 * carrier does it and tells the outcome with the method named in the {@link Step}.
 */
final class TurnLoop {
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
  TurnLoop(
      String label,
      int mostAttempts,
      DeliveryMode delivery,
      MailboxHeader header,
      LongSupplier nanoTime,
      Consumer<ConsumedAhead.Lost> lost) {
    this.state = new TurnState(label, mostAttempts, delivery, header, nanoTime, lost);
  }

  /** What tells whether there is something to commit besides turns. */
  void chores(BooleanSupplier tells) {
    state.chores = tells;
  }

  DeliveryMode delivery() {
    return state.delivery;
  }

  /** Messages that may be put aside. */
  int mostAside() {
    return state.mostAside();
  }

  /**
   * The actor was read; from here on it works. What survives: the attempts of the next message,
   * messages that are consumed already, and what the actor told itself and did not handle.
   */
  void loaded(Loaded loaded) {
    state.loaded(loaded);
  }

  /** What it is told of new mail. */
  Doorbell doorbell() {
    return state.doorbell;
  }

  /** What was told the actor here and is in no mailbox. */
  DirectMail direct() {
    return state.direct;
  }

  /**
   * Whether that message is handled without being stored first; see {@link DirectMail#offer}.
   *
   * @param room whether the node has room for it
   */
  boolean offer(Direct message, boolean room) {
    return state.direct.offer(message, room && state.takesDirect());
  }

  /** Whether the actor's own message was taken; false if too many wait. */
  boolean offer(Delivery delivery) {
    return state.own.offer(delivery);
  }

  /**
   * What the actor told itself and nobody will make durable: what this life has handled or was
   * handling; of one that ends for good, all that waits too. To be asked before the loop is told.
   */
  List<Delivery> loseOwn(boolean forGood) {
    List<Delivery> lost = new ArrayList<>();
    if (state.isUp()) {
      state.batch.turns().stream().flatMap(Handled::told).forEach(lost::add);
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
  void rest() {
    state.resting = true;
  }

  /** Whether all that was begun is durable. */
  boolean isAtRest() {
    return state.phase == Phase.IDLE
        && state.pending == null
        && state.batch.isEmpty()
        && state.committing.isEmpty()
        && state.ahead.isEmpty()
        && !state.placement.isPending();
  }

  Step next() {
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
    if (!state.placement.isPending() && state.batch.hasDirect() && state.batch.lasts()) {
      state.direct.place();
      settlePlaces();
    }
  }

  private void settlePlaces() {
    Placement.Failed failure = state.placement.isPending() ? null : state.placement.settle();
    if (failure != null) {
      state.current = failure.place();
      failed(failure.cause());
    }
  }

  /** The body of the last {@link Step.Fetch}. */
  void fetched(byte[] body) {
    if (state.phase == Phase.FETCHING) {
      state.phase = Phase.IDLE;
      state.handout.fetched(body);
    }
  }

  /** The body of the last {@link Step.Fetch} is not there: the message is parked. */
  void lacking(Throwable cause) {
    if (state.phase == Phase.FETCHING) {
      state.phase = Phase.IDLE;
      state.handout.broken(cause);
    }
  }

  /**
   * The first of the last {@link Step.HandleMail} were handled; what comes after the end goes back.
   */
  void handledMail(List<Turn> turns, SliceEnd end) {
    if (state.direct.isHandedOut()) {
      state.phase = Phase.IDLE;
      state.placement.handled(turns, end);
      settlePlaces();
      return;
    }
    List<Input> handled = state.handout.handled(turns.size(), !(end instanceof SliceEnd.Paused));
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
    } else if (end instanceof SliceEnd.Failed failed) {
      state.current = state.handout.begun();
      failed(failed.cause());
    } else if (end instanceof SliceEnd.Unreadable broken) {
      state.handout.broken(broken.cause());
    }
  }

  /** The message that failed is consumed: it is not tried again. */
  private void endedAhead(SliceEnd end) {
    if (end instanceof SliceEnd.Failed failed) {
      state.ahead.failed(failed.cause());
      state.current = null;
      failed(failed.cause());
    } else if (end instanceof SliceEnd.Unreadable broken) {
      state.ahead.failed(broken.cause());
    }
  }

  private void add(@Nullable Input input, @Nullable Delivery itself, Turn turn) {
    Handled handled =
        input == null ? new Handled(null, itself, null, turn) : Handled.stored(input, turn);
    state.batch.add(handled, state.now());
  }

  void read(StoredMail read) {
    if (state.phase == Phase.READING) {
      state.phase = Phase.IDLE;
      state.doorbell.read(read, state.batch.consumed() + state.direct.placed());
    }
  }

  /** The handler of the actor's own message succeeded. */
  void handled(Turn turn) {
    add(null, state.own.done(), turn);
    release(turn);
    state.phase = Phase.IDLE;
  }

  /** What was put aside comes next, if the turn says so; nothing was handled in the slice since. */
  private void release(Turn turn) {
    if (turn.releases()) {
      state.mail.lanes().release();
    }
  }

  /** The handler failed. A stored message stays; one of the actor's own is gone. */
  void failed(Throwable cause) {
    if (state.current != null) {
      state.trial.failed(state.current, cause);
    }
    state.pending = cause;
    state.own.done();
    state.phase = Phase.IDLE;
  }

  /** The turns of the last {@link Step.CommitTurns} changed nothing durable. */
  void nothingToCommit() {
    state.committing.clear();
    state.ahead.committed();
    state.phase = Phase.IDLE;
  }

  /** Whether it counts as an attempt of a message, or more, if the last commit is refused. */
  boolean isAttempt() {
    return !state.consumesFirst() && state.committing.mail() > 0;
  }

  /**
   * The unit of the last commit step cannot be committed as it is. Several messages are tried again
   * one by one; a single one has used up an attempt. What the actor told itself is not tried again,
   * nor are those of an at-most-once actor: they are lost.
   */
  void refused(Throwable cause) {
    if (state.consumesFirst()) {
      state.close(Phase.UNLOADED);
      return;
    }
    Input only = state.committing.only();
    Direct alone = state.committing.onlyDirect();
    if (only != null) {
      state.trial.failed(only, cause);
    } else if (alone != null) {
      state.trial.failed(alone.id(), cause);
    } else {
      state.trial.failedTogether(state.committing.mail());
    }
    state.close(Phase.UNLOADED);
  }

  /** The last {@link Step.CommitTurns} was not committed, and is given again. */
  void takeBack(Step.CommitTurns step) {
    state.direct.takenBack(step.turns());
    state.committing.take(state.batch);
    state.batch.take(state.committing);
    state.committed();
  }

  /** What the commit of the last {@link Step.CommitTurns} or {@link Step.Park} tells senders. */
  @Nullable MailboxHeader header() {
    return state.consumption.header(state.current);
  }

  /** Whether the mailbox takes what the turns to be committed send to their own actor. */
  boolean takesOwn(int sent) {
    return state.backlog.takesOwn(sent - state.consumption.count(state.current));
  }

  /** Whether the mailbox is full, or may be: there is mail that nobody has counted. */
  boolean mayBeFull() {
    return state.backlog.isFull() || state.mail.mayHaveMore();
  }

  /** The record was written again as it is. */
  void relayed() {
    state.version = StoredRecord.following(state.version);
  }

  /**
   * The unit of the last {@link Step.CommitTurns} or {@link Step.Park} is durable.
   *
   * @return the failure that led to the message just parked: its actor object must be replaced
   *     although the message is out of the way; null if there is none
   */
  @Nullable Throwable committed(ActorRecord written) {
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
  void unload(Throwable cause) {
    if (state.phase != Phase.COMMITTING) {
      state.ahead.loseOpen(cause);
    }
    state.close(Phase.UNLOADED);
  }

  /** Another node runs the actor. */
  void disowned(Throwable cause) {
    state.trial.end();
    state.close(Phase.UNLOADED);
    state.ahead.loseAll(cause);
  }

  void stop(Throwable cause) {
    state.close(Phase.STOPPED);
    state.ahead.loseAll(cause);
  }

  /** The unit of that step is not durable and will not be; its life cannot go on. */
  void notCommitted(Step.CommitTurns step, Throwable cause) {
    state.ahead.notCommitted(step, cause);
  }

  /**
   * The unit of that step was under way when the life ended, and is durable, or may be. An
   * at-most-once actor must not be loaded before that is known, unless it was disowned.
   *
   * @param cause why what it consumed is lost if the actor does not run here any more
   */
  void landed(Step.CommitTurns step, Throwable cause) {
    state.ahead.landed(step, cause);
  }

  ActorRecord record() {
    return state.record;
  }

  int version() {
    return state.version;
  }

  /** Messages that wait in the mailbox, as far as is known. */
  long waiting() {
    return state.backlog.messages();
  }

  /** The segment that comes after those in memory. */
  long unread() {
    return state.mail.next();
  }

  /** How often the present message failed. */
  int attempts() {
    return state.trial.attempts();
  }

  /** Messages read ahead and own ones. */
  int queued() {
    return state.queued();
  }

  /** Whether nothing is under way and nothing is known to wait. */
  boolean idle() {
    return state.phase == Phase.IDLE
        && queued() == 0
        && !state.mail.mayHaveMore()
        && state.pending == null;
  }
}
