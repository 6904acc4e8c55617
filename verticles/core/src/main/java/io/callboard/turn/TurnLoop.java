package io.callboard.turn;

import io.callboard.DeliveryMode;
import io.callboard.codecs.Envelope;
import io.callboard.mailbox.Delivery;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what one durable actor does next. A machine without I/O; not thread-safe.
 *
 * <p>{@link #next()} says what to do; the carrier does it and tells the outcome with the method
 * named in the {@link Step}.
 */
final class TurnLoop {
  /** Messages put aside at most, of a mailbox with room for four times as many. */
  static final int MOST_ASIDE = 1_000;

  private final Trial trial;
  private final Backlog backlog;
  private final DeliveryMode delivery;
  private final int mostAside;
  private final LongSupplier nanoTime;

  private ActorRecord record = ActorRecord.EMPTY;
  private int version = Write.NEW;
  private final DirectMail direct;
  private final MailAhead mail;
  private final Placement placement;
  private final Doorbell doorbell;
  private final OwnMail own = new OwnMail();
  private State state = State.UNLOADED;

  private final Batch batch = new Batch();
  private final Batch committing = new Batch();
  private final ConsumedAhead ahead;
  private final Handout handout;
  private final Consumption consumption;
  private @Nullable Input current;
  private @Nullable Throwable pending;
  private boolean resting;
  private BooleanSupplier chores = () -> false;

  private enum State {
    UNLOADED,
    IDLE,
    READING,
    FETCHING,
    HANDLING,
    COMMITTING,
    STOPPED
  }

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
    this.direct = new DirectMail(header.limit());
    this.mail = new MailAhead(label, this::claims);
    this.placement = new Placement(direct, mail, batch, nanoTime);
    this.trial = new Trial(mostAttempts);
    this.delivery = delivery;
    this.mostAside = Math.min(MOST_ASIDE, header.limit() / 4);
    this.backlog = new Backlog(header);
    this.doorbell = new Doorbell(mail, backlog);
    this.nanoTime = nanoTime;
    this.ahead = new ConsumedAhead(lost);
    this.handout = new Handout(mail, ahead, consumesFirst());
    this.consumption = new Consumption(mail, backlog, committing, ahead);
  }

  /** What tells whether there is something to commit besides turns. */
  void chores(BooleanSupplier tells) {
    chores = tells;
  }

  DeliveryMode delivery() {
    return delivery;
  }

  /** Messages that may be put aside. */
  int mostAside() {
    return mostAside;
  }

  private boolean consumesFirst() {
    return delivery == DeliveryMode.AT_MOST_ONCE;
  }

  /**
   * The actor was read; from here on it works. What survives: the attempts of the next message,
   * messages that are consumed already, and what the actor told itself and did not handle.
   */
  void loaded(Loaded loaded) {
    loaded
        .record()
        .ifPresentOrElse(
            stored -> {
              record = stored.record();
              version = stored.version();
            },
            () -> {
              record = ActorRecord.EMPTY;
              version = Write.NEW;
            });
    batch.clear();
    committing.clear();
    handout.forget();
    current = null;
    pending = null;
    resting = false;
    trial.consumed(record.consumed());
    consumption.loaded(record.consumed(), loaded);
    doorbell.open();
    state = State.IDLE;
  }

  private boolean claims(Input found) {
    trial.found(found);
    return direct.claims(found);
  }

  /** What it is told of new mail. */
  Doorbell doorbell() {
    return doorbell;
  }

  /** What was told the actor here and is in no mailbox. */
  DirectMail direct() {
    return direct;
  }

  /**
   * Whether that message is handled without being stored first; see {@link DirectMail#offer}.
   *
   * @param room whether the node has room for it
   */
  boolean offer(Direct message, boolean room) {
    boolean free =
        room
            && !resting
            && state != State.UNLOADED
            && state != State.STOPPED
            && state != State.READING
            && state != State.FETCHING
            && delivery == DeliveryMode.EXACTLY_ONCE
            && pending == null
            && !trial.isAlone()
            && mail.lanes().size() == 0
            && !mail.mayHaveMore();
    return direct.offer(message, free);
  }

  /** Whether the actor's own message was taken; false if too many wait. */
  boolean offer(Delivery delivery) {
    return own.offer(delivery);
  }

  /**
   * What the actor told itself and nobody will make durable: what this life has handled or was
   * handling; of one that ends for good, all that waits too. To be asked before the loop is told.
   */
  List<Delivery> loseOwn(boolean forGood) {
    List<Delivery> lost = new ArrayList<>();
    if (state != State.UNLOADED && state != State.STOPPED) {
      batch.turns().stream().flatMap(Handled::told).forEach(lost::add);
      Delivery current = own.done();
      if (current != null) {
        lost.add(current);
      }
    }
    if (forGood) {
      lost.addAll(own.drain());
    }
    return lost;
  }

  /** Nothing new is begun any more, in this life: what was handled is committed. */
  void rest() {
    resting = true;
  }

  /** Whether all that was begun is durable. */
  boolean isAtRest() {
    return state == State.IDLE
        && pending == null
        && batch.isEmpty()
        && committing.isEmpty()
        && ahead.isEmpty()
        && !placement.isPending();
  }

  Step next() {
    if (state != State.IDLE) {
      return new Step.Wait();
    }
    if (placement.isPending()) {
      return awaitPlaces();
    }
    settlePlaces();
    if (batch.hasDirect() && batch.lasts()) {
      direct.place();
      if (placement.isPending()) {
        return awaitPlaces();
      }
      settlePlaces();
    }
    if (state != State.IDLE || mustWait()) {
      return new Step.Wait();
    }
    if (pending != null) {
      return afterFailure(pending);
    }
    if (batch.isDue(most(), nanoTime.getAsLong())) {
      return commit(List.of());
    }
    if (committing.isEmpty() && batch.isEmpty() && backlog.mustTell()) {
      return commit(List.of()); // of none: senders go by the header
    }
    if (resting && ahead.isEmpty()) {
      return batch.isEmpty() || !committing.isEmpty() ? new Step.Wait() : commit(List.of());
    }
    if (!own.isEmpty() && !resting) {
      state = State.HANDLING;
      current = null;
      return new Step.HandleOwn(own.take());
    }
    if (!ahead.isEmpty()) {
      return handle(ahead.take());
    }
    Input first = mail.lanes().first();
    if (first != null) {
      return committing.isEmpty() || canBeHandled(first) ? start(first) : new Step.Wait();
    }
    if (direct.hasNext()) {
      state = State.HANDLING;
      return new Step.HandleMail(direct.take(most() - batch.size()), List.of(), stashRoom());
    }
    if (!committing.isEmpty()) {
      return new Step.Wait();
    }
    if (!batch.isEmpty() && !mayLinger()) {
      return commit(List.of());
    }
    if (mail.takeHint()) {
      return read();
    }
    if (batch.isEmpty() && chores.getAsBoolean()) {
      return commit(List.of()); // which goes along with turns, if there are any
    }
    return batch.isEmpty()
        ? new Step.Wait()
        : new Step.Linger(batch.remainingNanos(nanoTime.getAsLong()));
  }

  private Step read() {
    state = State.READING;
    doorbell.reading();
    return new Step.Read(mail.next());
  }

  /** Direct mail is on its way into the mailbox, where it may have to be looked for. */
  private Step awaitPlaces() {
    return committing.isEmpty() && mail.takeHint() ? read() : new Step.Wait();
  }

  /** Whether there is nothing to be done before the commit under way has ended. */
  private boolean mustWait() {
    return !committing.isEmpty()
        && (pending != null || trial.isAlone() || batch.isDue(most(), nanoTime.getAsLong()));
  }

  /** Whether it needs nothing but a handler. */
  private static boolean canBeHandled(Input input) {
    Envelope envelope = input.envelope();
    return input.broken() == null && envelope != null && !envelope.lacksBody();
  }

  /**
   * Whether nobody waits for the commit: what is not durable has left, and nothing else is sent.
   */
  private boolean mayLinger() {
    return delivery == DeliveryMode.AT_LEAST_ONCE && !batch.sends();
  }

  /** A message that is tried again commits alone: its attempts are its own. */
  private int most() {
    return trial.isAlone() ? 1 : Batch.MOST;
  }

  private Step start(Input first) {
    if (first.broken() != null || first.envelope() == null) {
      return parkAfterBatch(first, String.valueOf(first.broken()));
    }
    if (trial.isExhausted(first) && batch.isEmpty()) {
      Throwable why = trial.why();
      return parkAfterBatch(
          why == null ? first : first.broken(why), "its effects could not be committed");
    }
    if (first.envelope().lacksBody()) {
      if (!batch.isEmpty()) {
        return commit(List.of()); // what is done is durable before a large body is in memory
      }
      state = State.FETCHING;
      return new Step.Fetch(handout.fetch());
    }
    if (consumesFirst()) {
      return commit(handout.take(ConsumedAhead.MOST, batch));
    }
    return handle(handout.take(most() - batch.size(), batch));
  }

  private Step handle(List<Input> next) {
    state = State.HANDLING;
    return handout.handOut(next, record.consumed(), stashRoom());
  }

  private int stashRoom() {
    return consumesFirst() ? -1 : mostAside - mail.lanes().aside();
  }

  /** The body of the last {@link Step.Fetch}. */
  void fetched(byte[] body) {
    if (state == State.FETCHING) {
      state = State.IDLE;
      handout.fetched(body);
    }
  }

  /** The body of the last {@link Step.Fetch} is not there: the message is parked. */
  void lacking(Throwable cause) {
    if (state == State.FETCHING) {
      state = State.IDLE;
      handout.broken(cause);
    }
  }

  /**
   * The first of the last {@link Step.HandleMail} were handled; what comes after the end goes back.
   */
  void handledMail(List<Turn> turns, SliceEnd end) {
    if (direct.isHandedOut()) {
      state = State.IDLE;
      placement.handled(turns, end);
      settlePlaces();
      return;
    }
    List<Input> handled = handout.handled(turns.size(), !(end instanceof SliceEnd.Paused));
    for (int i = 0; i < turns.size(); i++) {
      if (turns.get(i).isAside()) {
        mail.lanes().putAside(handled.get(i));
        trial.putAside(handled.get(i));
      } else {
        add(consumesFirst() ? null : handled.get(i), null, turns.get(i));
      }
      release(turns.get(i));
    }
    state = State.IDLE;
    if (consumesFirst()) {
      endedAhead(end);
    } else if (end instanceof SliceEnd.Failed failed) {
      current = handout.begun();
      failed(failed.cause());
    } else if (end instanceof SliceEnd.Unreadable broken) {
      handout.broken(broken.cause());
    }
  }

  private void settlePlaces() {
    Placement.Failed failure = placement.isPending() ? null : placement.settle();
    if (failure != null) {
      current = failure.place();
      failed(failure.cause());
    }
  }

  /** The message that failed is consumed: it is not tried again. */
  private void endedAhead(SliceEnd end) {
    if (end instanceof SliceEnd.Failed failed) {
      ahead.failed(failed.cause());
      current = null;
      failed(failed.cause());
    } else if (end instanceof SliceEnd.Unreadable broken) {
      ahead.failed(broken.cause());
    }
  }

  private void add(@Nullable Input input, @Nullable Delivery itself, Turn turn) {
    Handled handled =
        input == null ? new Handled(null, itself, null, turn) : Handled.stored(input, turn);
    batch.add(handled, nanoTime.getAsLong());
  }

  private Step parkAfterBatch(Input first, String why) {
    if (!batch.isEmpty()) {
      return commit(List.of());
    }
    current = mail.lanes().removeFirst();
    state = State.COMMITTING;
    Throwable cause = first.broken() == null ? new IllegalStateException(why) : first.broken();
    return new Step.Park(first, cause, trial.attempts());
  }

  private Step commit(List<Input> consumed) {
    boolean goesOn = !consumesFirst() && batch.goesOn();
    state = goesOn ? State.IDLE : State.COMMITTING;
    direct.committing(batch.turns());
    committing.take(batch);
    Step.CommitTurns step = new Step.CommitTurns(committing.turns(), consumed);
    ahead.consuming(step);
    return step;
  }

  /** What comes after a failed handler: first what was handled before it becomes durable. */
  private Step afterFailure(Throwable cause) {
    if (!batch.isEmpty()) {
      return commit(List.of());
    }
    Input failed = current;
    if (failed != null && trial.isExhausted(failed)) {
      state = State.COMMITTING;
      return new Step.Park(failed, cause, trial.attempts());
    }
    close(State.UNLOADED);
    pending = null;
    return new Step.Fail(cause, failed != null);
  }

  void read(StoredMail read) {
    if (state == State.READING) {
      state = State.IDLE;
      doorbell.read(read, batch.consumed() + direct.placed());
    }
  }

  /** The handler of the actor's own message succeeded. */
  void handled(Turn turn) {
    add(null, own.done(), turn);
    release(turn);
    state = State.IDLE;
  }

  /** What was put aside comes next, if the turn says so; nothing was handled in the slice since. */
  private void release(Turn turn) {
    if (turn.releases()) {
      mail.lanes().release();
    }
  }

  /** The handler failed. A stored message stays; one of the actor's own is gone. */
  void failed(Throwable cause) {
    if (current != null) {
      trial.failed(current, cause);
    }
    pending = cause;
    own.done();
    state = State.IDLE;
  }

  /** The turns of the last {@link Step.CommitTurns} changed nothing durable. */
  void nothingToCommit() {
    committing.clear();
    ahead.committed();
    state = State.IDLE;
  }

  /** Whether it counts as an attempt of a message, or more, if the last commit is refused. */
  boolean isAttempt() {
    return !consumesFirst() && committing.mail() > 0;
  }

  /**
   * The unit of the last commit step cannot be committed as it is. Several messages are tried again
   * one by one; a single one has used up an attempt. What the actor told itself is not tried again,
   * nor are those of an at-most-once actor: they are lost.
   */
  void refused(Throwable cause) {
    if (consumesFirst()) {
      close(State.UNLOADED);
      return;
    }
    Input only = committing.only();
    Direct alone = committing.onlyDirect();
    if (only != null) {
      trial.failed(only, cause);
    } else if (alone != null) {
      trial.failed(alone.id(), cause);
    } else {
      trial.failedTogether(committing.mail());
    }
    close(State.UNLOADED);
  }

  /** The last {@link Step.CommitTurns} was not committed, and is given again. */
  void takeBack(Step.CommitTurns step) {
    direct.takenBack(step.turns());
    committing.take(batch);
    batch.take(committing);
    state = state == State.COMMITTING ? State.IDLE : state;
  }

  /** What the commit of the last {@link Step.CommitTurns} or {@link Step.Park} tells senders. */
  @Nullable MailboxHeader header() {
    return consumption.header(current);
  }

  /** Whether the mailbox takes what the turns to be committed send to their own actor. */
  boolean takesOwn(int sent) {
    return backlog.takesOwn(sent - consumption.count(current));
  }

  /** Whether the mailbox is full, or may be: there is mail that nobody has counted. */
  boolean mayBeFull() {
    return backlog.isFull() || mail.mayHaveMore();
  }

  /** The record was written again as it is. */
  void relayed() {
    version = StoredRecord.following(version);
  }

  /**
   * The unit of the last {@link Step.CommitTurns} or {@link Step.Park} is durable.
   *
   * @return the failure that led to the message just parked: its actor object must be replaced
   *     although the message is out of the way; null if there is none
   */
  @Nullable Throwable committed(ActorRecord written) {
    record = written;
    version = StoredRecord.following(version);
    consumption.committed(current, written.consumed());
    state = state == State.COMMITTING ? State.IDLE : state;
    ahead.committed();
    if (!committing.isEmpty()) {
      trial.committed(committing.consumed(), record.consumed());
      committing.clear();
      return null;
    }
    if (current == null) {
      return null; // only the header
    }
    Throwable behind = pending;
    trial.committed(1, record.consumed());
    current = null;
    pending = null;
    if (behind != null) {
      close(State.UNLOADED);
    }
    return behind;
  }

  /** The life ended: nothing more is done until it is loaded again. */
  void unload(Throwable cause) {
    if (state != State.COMMITTING) {
      ahead.loseOpen(cause);
    }
    close(State.UNLOADED);
  }

  /** Another node runs the actor. */
  void disowned(Throwable cause) {
    trial.end();
    close(State.UNLOADED);
    ahead.loseAll(cause);
  }

  void stop(Throwable cause) {
    close(State.STOPPED);
    ahead.loseAll(cause);
  }

  private void close(State now) {
    state = now;
    placement.forget();
    doorbell.close();
    direct.lifeEnded();
  }

  /** The unit of that step is not durable and will not be; its life cannot go on. */
  void notCommitted(Step.CommitTurns step, Throwable cause) {
    ahead.notCommitted(step, cause);
  }

  /**
   * The unit of that step was under way when the life ended, and is durable, or may be. An
   * at-most-once actor must not be loaded before that is known, unless it was disowned.
   *
   * @param cause why what it consumed is lost if the actor does not run here any more
   */
  void landed(Step.CommitTurns step, Throwable cause) {
    ahead.landed(step, cause);
  }

  ActorRecord record() {
    return record;
  }

  int version() {
    return version;
  }

  /** Messages that wait in the mailbox, as far as is known. */
  long waiting() {
    return backlog.messages();
  }

  /** The segment that comes after those in memory. */
  long unread() {
    return mail.next();
  }

  /** How often the present message failed. */
  int attempts() {
    return trial.attempts();
  }

  /** Messages read ahead and own ones. */
  int queued() {
    return mail.lanes().size()
        + ahead.size()
        + handout.size()
        + own.size()
        + batch.size()
        + committing.size()
        + direct.size();
  }

  /** Whether nothing is under way and nothing is known to wait. */
  boolean idle() {
    return state == State.IDLE && queued() == 0 && !mail.mayHaveMore() && pending == null;
  }
}
