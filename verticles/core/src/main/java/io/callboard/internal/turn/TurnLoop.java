package io.callboard.internal.turn;

import io.callboard.DeliveryMode;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.readahead.Doorbell;
import io.callboard.internal.readahead.MailboxMessage;
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
 * Turn loop of one durable actor: decides what the actor does next. A machine without I/O; not
 * thread-safe.
 *
 * <p>{@link #next()} gives the step of the first {@link TurnRule} whose condition holds; the
 * carrier does it and reports the outcome by the method named in the {@link TurnStep}.
 */
@Machine
public final class TurnLoop {
  /** Limit of the stashed messages, for a mailbox with room for four times as many. */
  static final int MOST_ASIDE = 1_000;

  private final TurnState state;
  private TurnRule rule = TurnRule.BUSY;

  /**
   * @param mostAttempts attempts after which a message is parked; an at-most-once actor makes one
   * @param label names the mailbox in errors
   * @param delivery one of the durable modes
   * @param header limit and policy of the mailbox
   * @param lost called with messages that an at-most-once actor has consumed in vain
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

  /** Sets the source that tells whether there is something to commit besides turns. */
  public void chores(BooleanSupplier tells) {
    state.chores = tells;
  }

  public DeliveryMode delivery() {
    return state.delivery;
  }

  /** Returns the limit of the stashed messages. */
  public int mostAside() {
    return state.mostAside();
  }

  /**
   * Begins a life after the actor was read. From earlier lives it keeps the attempts of the next
   * message, messages that are consumed already, and unhandled messages of the actor to itself.
   */
  public void loaded(Loaded loaded) {
    state.loaded(loaded);
  }

  /** Notices of new mail. */
  public Doorbell doorbell() {
    return state.doorbell;
  }

  /** Bypass of the mailbox. */
  public MailboxBypass direct() {
    return state.direct;
  }

  /**
   * Offers a message that bypasses the mailbox; see {@link MailboxBypass#offer}.
   *
   * @param room whether the node has room for it
   * @return whether it was taken
   */
  public boolean offer(BypassMessage message, boolean room) {
    return state.direct.offer(message, room && state.takesDirect());
  }

  /** Offers a message of the actor to itself; false if too many wait. */
  public boolean offer(Delivery delivery) {
    return state.own.offer(delivery);
  }

  /**
   * Returns the messages of the actor to itself that will not become durable: those that this life
   * has handled or was handling and, if it ends for good, all that wait. Called before the end of
   * the life is reported.
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

  /** Begins nothing new in this life; handled messages are committed. */
  public void rest() {
    state.resting = true;
  }

  /** Returns whether everything begun is durable. */
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
    state.look();
    rule = TurnRule.of(state);
    return rule.take(state);
  }

  /** Returns the rule of the last {@link #next()}. */
  TurnRule rule() {
    return rule;
  }

  /** Settles handled bypass messages, once their places are known. */
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

  /** Takes the body of the last {@link TurnStep.Fetch}. */
  public void fetched(byte[] body) {
    if (state.phase == Phase.FETCHING) {
      state.phase = Phase.IDLE;
      state.inFlightMail.fetched(body);
    }
  }

  /** Reports that the body of the last {@link TurnStep.Fetch} is missing: the message is parked. */
  public void lacking(Throwable cause) {
    if (state.phase == Phase.FETCHING) {
      state.phase = Phase.IDLE;
      state.inFlightMail.broken(cause);
    }
  }

  /**
   * Reports that the first messages of the last {@link TurnStep.HandleMail} were handled; those
   * after the end go back.
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

  /** Drops the message that failed: it is consumed and not tried again. */
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

  /** Reports that the handler of the actor's message to itself succeeded. */
  public void handled(Turn turn) {
    add(null, state.own.done(), turn);
    release(turn);
    state.phase = Phase.IDLE;
  }

  /** Unstashes messages, if the turn says so; nothing was handled in the slice since. */
  private void release(Turn turn) {
    if (turn.releases()) {
      state.mail.lanes().release(turn.released());
    }
  }

  /** Reports a failed handler. A stored message stays; one of the actor to itself is gone. */
  public void failed(Throwable cause) {
    if (state.current != null) {
      state.trial.failed(state.current, cause);
    }
    state.pending = cause;
    state.own.done();
    state.phase = Phase.IDLE;
  }

  /** Reports that the turns of the last {@link TurnStep.CommitTurns} changed nothing durable. */
  public void nothingToCommit() {
    state.committing.clear();
    state.ahead.committed();
    state.phase = Phase.IDLE;
  }

  /** Returns whether a refusal of the last commit counts as an attempt of one or more messages. */
  public boolean isAttempt() {
    return !state.consumesFirst() && state.committing.mail() > 0;
  }

  /**
   * Reports that the unit of the last commit step cannot be committed as it is. Several messages
   * are tried again one by one; a single one has used up an attempt. Messages of the actor to
   * itself, and those of an at-most-once actor, are not tried again: they are lost.
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

  /**
   * Takes back the last {@link TurnStep.CommitTurns}, which was not committed and is given again.
   */
  public void takeBack(TurnStep.CommitTurns step) {
    state.direct.takenBack(step.turns());
    state.committing.take(state.batch);
    state.batch.take(state.committing);
    state.committed();
  }

  /**
   * Returns the mailbox header that the commit of the last {@link TurnStep.CommitTurns} or {@link
   * TurnStep.Park} writes; null if it need not change.
   */
  public @Nullable MailboxHeader header() {
    return state.consumption.header(state.current);
  }

  /**
   * Returns whether the mailbox has room for the messages to the actor itself of the turns to be
   * committed.
   */
  public boolean takesOwn(int sent) {
    return state.backlog.takesOwn(sent - state.consumption.count(state.current));
  }

  /** Returns whether the mailbox is full, or may be: there is mail that was not counted yet. */
  public boolean mayBeFull() {
    return state.backlog.isFull() || state.mail.mayHaveMore();
  }

  /** Reports that the record was written again unchanged. */
  public void relayed() {
    state.version = StoredRecord.following(state.version);
  }

  /**
   * Reports that the unit of the last {@link TurnStep.CommitTurns} or {@link TurnStep.Park} is
   * durable.
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
      state.tookTurns();
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

  /** Ends the life: no step follows until the loop is loaded again. */
  public void unload(Throwable cause) {
    if (state.phase != Phase.COMMITTING) {
      state.ahead.loseOpen(cause);
    }
    state.close(Phase.UNLOADED);
  }

  /** Ends the life because another node runs the actor. */
  public void disowned(Throwable cause) {
    state.trial.end();
    state.close(Phase.UNLOADED);
    state.ahead.loseAll(cause);
  }

  public void stop(Throwable cause) {
    state.close(Phase.STOPPED);
    state.ahead.loseAll(cause);
  }

  /** Reports that the unit of that step will not be durable; its life cannot go on. */
  public void notCommitted(TurnStep.CommitTurns step, Throwable cause) {
    state.ahead.notCommitted(step, cause);
  }

  /**
   * Reports that the unit of that step was under way when the life ended, and is durable, or may
   * be. An at-most-once actor must not be loaded before that is known, unless it was disowned.
   *
   * @param cause why its messages are lost if the actor does not run here any more
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

  /** Returns the number of messages waiting in the mailbox, as far as is known. */
  public long waiting() {
    return state.backlog.messages();
  }

  /** Returns the number of the segment after those in memory. */
  public long unread() {
    return state.mail.next();
  }

  /**
   * Returns the failure of the attempt before, if the mail that is handed out is one message, at
   * its last attempt; null otherwise.
   */
  public @Nullable Throwable beforeLast(TurnStep.HandleMail mail) {
    return mail.places().size() == 1 ? state.trial.beforeLast(mail.places().get(0)) : null;
  }

  /** Returns the number of failed attempts of the present message. */
  public int attempts() {
    return state.trial.attempts();
  }

  /** Returns the number of messages in memory. */
  public int queued() {
    return state.queued();
  }

  /** Returns whether nothing is under way and nothing is known to wait. */
  public boolean idle() {
    return state.phase == Phase.IDLE
        && queued() == 0
        && !state.mail.mayHaveMore()
        && state.pending == null;
  }
}
