package io.callboard.turn;

import io.callboard.DeliveryMode;
import io.callboard.codecs.Envelope;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
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
  /** Messages that commit together at most. */
  static final int BATCH = 512;

  /** Bytes sent by the turns of a batch after which it takes no further message. */
  static final int BATCH_BYTES = 128 << 10;

  /**
   * How long what was handled may wait for more turns to commit with, if handlers are slow: answers
   * of an exactly-once actor wait as long, and a crash of an at-least-once one repeats that much.
   */
  static final long COMMIT_AFTER_NANOS = 10_000_000;

  /** Messages of the actor to itself (timers, piped futures) that may wait. */
  static final int MOST_OWN = 1_000;

  private final int mostAttempts;
  private final Backlog backlog;
  private final DeliveryMode delivery;
  private final LongSupplier nanoTime;

  private ActorRecord record = ActorRecord.EMPTY;
  private int version = Write.NEW;
  private final MailAhead mail;
  private final Deque<Delivery> own = new ArrayDeque<>();
  private State state = State.UNLOADED;

  private final Batch batch = new Batch();
  private final ConsumedAhead ahead;
  private Step.@Nullable CommitTurns underWay;
  private List<Input> slice = List.of();
  private @Nullable Input current;
  private @Nullable Delivery currentOwn;
  private int attempts;
  private int singly;
  private @Nullable Throwable pending;
  private @Nullable MailboxHeader said;
  private @Nullable Throwable why;

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
   * A message whose handler succeeded.
   *
   * @param input null if nothing in the mailbox is left to consume
   * @param own what the actor told itself; null if it came from the mailbox
   */
  record Handled(@Nullable Input input, @Nullable Delivery own, Turn turn) {}

  /** What to do now. */
  sealed interface Step {
    /** Nothing, until something happens. */
    record Wait() implements Step {}

    /** Read on, then {@link TurnLoop#read}. */
    record Read(long from) implements Step {}

    /**
     * Fetch the body of the next message, then {@link TurnLoop#fetched} or {@link
     * TurnLoop#lacking}.
     */
    record Fetch(Envelope envelope) implements Step {}

    /** Handle stored mail, then {@link TurnLoop#handledMail}. */
    record HandleMail(List<Envelope> mail) implements Step {}

    /** Handle the actor's own message, then {@link TurnLoop#handled} or {@link TurnLoop#failed}. */
    record HandleOwn(Delivery delivery) implements Step {}

    /**
     * Commit these, then {@link TurnLoop#committed}. None, if only the header of the mailbox has to
     * change.
     *
     * @param ahead messages that the same commit consumes before they are handled
     */
    record CommitTurns(List<Handled> turns, List<Input> ahead) implements Step {
      /** All that the commit consumes and makes durable. */
      List<Handled> all() {
        if (ahead.isEmpty()) {
          return turns;
        }
        List<Handled> all = new ArrayList<>(turns);
        ahead.forEach(input -> all.add(new Handled(input, null, new Turn(Reply.NONE))));
        return all;
      }
    }

    /** Nothing, until something happens or that time is over; then {@link TurnLoop#next}. */
    record Linger(long nanos) implements Step {}

    /** Put the message aside, then {@link TurnLoop#committed}. */
    record Park(Input input, Throwable cause, int attempts) implements Step {}

    /** Tell the supervisor: the handler failed and all before it is committed. */
    record Fail(Throwable cause) implements Step {}
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
    this.mail = new MailAhead(label);
    this.mostAttempts = mostAttempts;
    this.delivery = delivery;
    this.backlog = new Backlog(header);
    this.nanoTime = nanoTime;
    this.ahead = new ConsumedAhead(lost);
  }

  DeliveryMode delivery() {
    return delivery;
  }

  private boolean consumesFirst() {
    return delivery == DeliveryMode.AT_MOST_ONCE;
  }

  /**
   * The actor was read; from here on it works. Attempts survive, and messages that are consumed
   * already; nothing else does.
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
    slice = List.of();
    current = null;
    pending = null;
    said = null;
    mail.load(record, loaded.mail().segments());
    backlog.loaded(loaded.header(), Math.max(0, loaded.mail().messages() - record.offset()));
    state = State.IDLE;
  }

  /**
   * There may be new mail.
   *
   * @param sequence of its segment; {@link Long#MAX_VALUE} if that is not known
   * @return whether that is news
   */
  boolean hint(long sequence) {
    // before it is loaded nothing is known of its mail
    return state == State.UNLOADED ? mail.hint(Long.MAX_VALUE) : mail.hint(sequence);
  }

  /** See {@link MailAhead#expect}. */
  void expect(long sequence) {
    mail.expect(sequence);
  }

  /** A segment that this node has just put into the mailbox. */
  void delivered(long sequence, List<Envelope> envelopes) {
    boolean takes = state != State.UNLOADED && state != State.STOPPED && state != State.READING;
    if (takes) {
      backlog.arrived(envelopes.size());
      mail.delivered(sequence, envelopes);
    } else {
      boolean unused = hint(sequence);
    }
  }

  /**
   * A segment that another node says it has put into the mailbox.
   *
   * @return whether it was taken: it will not be read
   */
  boolean pushed(long sequence, List<Envelope> envelopes) {
    if (state == State.UNLOADED || state == State.STOPPED) {
      boolean unused = hint(sequence);
      return false;
    }
    boolean taken = mail.pushed(sequence, envelopes, state == State.READING);
    if (taken) {
      backlog.arrived(envelopes.size());
    }
    return taken;
  }

  /** The store tells of a segment: see {@link MailAhead#foretold}. */
  boolean foretold(long sequence) {
    if (state == State.UNLOADED) {
      boolean unused = hint(sequence);
      return false;
    }
    return mail.foretold(sequence);
  }

  /** See {@link MailAhead#waited}. */
  boolean waited() {
    return mail.waited();
  }

  /** Whether the actor's own message was taken; false if too many wait. */
  boolean offer(Delivery delivery) {
    if (own.size() >= MOST_OWN) {
      return false;
    }
    return own.add(delivery);
  }

  Step next() {
    if (state != State.IDLE) {
      return new Step.Wait();
    }
    if (pending != null) {
      return afterFailure(pending);
    }
    if (batch.size() >= most()
        || batch.bytes() >= BATCH_BYTES
        || batch.operations() >= BATCH
        || isLate()) {
      return commit(List.of());
    }
    if (batch.isEmpty() && backlog.mustTell()) {
      return commit(List.of()); // of none: senders go by the header
    }
    if (!own.isEmpty()) {
      state = State.HANDLING;
      current = null;
      Delivery first = own.removeFirst();
      currentOwn = first;
      return new Step.HandleOwn(first);
    }
    if (!ahead.isEmpty()) {
      return handle(ahead.take());
    }
    Input first = mail.first();
    if (first != null) {
      return start(first);
    }
    if (!batch.isEmpty() && !mayLinger()) {
      return commit(List.of());
    }
    if (mail.takeHint()) {
      state = State.READING;
      return new Step.Read(mail.next());
    }
    return batch.isEmpty()
        ? new Step.Wait()
        : new Step.Linger(COMMIT_AFTER_NANOS - batch.ageNanos(nanoTime.getAsLong()));
  }

  /** Slow handlers do not hold up the commit of what others did before them. */
  private boolean isLate() {
    return !batch.isEmpty() && batch.ageNanos(nanoTime.getAsLong()) >= COMMIT_AFTER_NANOS;
  }

  /**
   * Whether nobody waits for the commit: what is not durable has left, and nothing else is sent.
   */
  private boolean mayLinger() {
    return delivery == DeliveryMode.AT_LEAST_ONCE && batch.bytes() == 0;
  }

  /** A message that is tried again commits alone: its attempts are its own. */
  private int most() {
    return singly > 0 || attempts > 0 ? 1 : BATCH;
  }

  private Step start(Input first) {
    if (first.broken() != null || first.envelope() == null) {
      return parkAfterBatch(first, String.valueOf(first.broken()));
    }
    if (attempts >= mostAttempts && batch.isEmpty()) {
      return parkAfterBatch(
          why == null ? first : first.broken(why), "its effects could not be committed");
    }
    if (first.envelope().lacksBody()) {
      if (!batch.isEmpty()) {
        return commit(List.of()); // one large body is in memory at most, and what is done durable
      }
      state = State.FETCHING;
      return new Step.Fetch(first.envelope());
    }
    if (consumesFirst()) {
      return commit(take(ConsumedAhead.MOST));
    }
    return handle(take(most() - batch.size()));
  }

  private List<Input> take(int most) {
    List<Input> taken = new ArrayList<>();
    int operations = batch.operations();
    while (taken.size() < most && operations < BATCH) {
      Input next = mail.first();
      if (next == null
          || next.broken() != null
          || next.envelope() == null
          || next.envelope().lacksBody()) {
        break;
      }
      operations += next.operations();
      taken.add(mail.removeFirst());
    }
    return taken;
  }

  private Step handle(List<Input> next) {
    slice = next;
    state = State.HANDLING;
    return new Step.HandleMail(
        next.stream().map(input -> Objects.requireNonNull(input.envelope())).toList());
  }

  /** The body of the last {@link Step.Fetch}. */
  void fetched(byte[] body) {
    Input first = mail.first();
    if (state == State.FETCHING && first != null && first.envelope() != null) {
      state = State.IDLE;
      Envelope whole = first.envelope().withBody(body);
      mail.putBack(mail.removeFirst().with(whole));
    }
  }

  /** The body of the last {@link Step.Fetch} is not there: the message is parked. */
  void lacking(Throwable cause) {
    if (state == State.FETCHING) {
      state = State.IDLE;
      mail.putBack(mail.removeFirst().broken(cause));
    }
  }

  /** How the handling of a slice of mail ended. */
  sealed interface End {
    /** All were handled, or the slice has become large enough. */
    record Paused() implements End {}

    /** The handler of the next one failed. */
    record Failed(Throwable cause) implements End {}

    /** The next one cannot be read. */
    record Unreadable(Throwable cause) implements End {}
  }

  /**
   * The first of the last {@link Step.HandleMail} were handled; what comes after the end goes back.
   */
  void handledMail(List<Turn> turns, End end) {
    for (int i = 0; i < turns.size(); i++) {
      add(consumesFirst() ? null : slice.get(i), null, turns.get(i));
    }
    int next = turns.size();
    for (int i = slice.size() - 1; i >= next; i--) {
      putBack(slice.get(i));
    }
    slice = List.of();
    state = State.IDLE;
    if (consumesFirst()) {
      endedAhead(end);
    } else if (end instanceof End.Failed failed) {
      current = mail.removeFirst();
      failed(failed.cause());
    } else if (end instanceof End.Unreadable broken) {
      mail.putBack(mail.removeFirst().broken(broken.cause()));
    }
  }

  private void putBack(Input input) {
    if (consumesFirst()) {
      ahead.putBack();
    } else {
      mail.putBack(input);
    }
  }

  /** The message that failed is consumed: it is not tried again. */
  private void endedAhead(End end) {
    if (end instanceof End.Failed failed) {
      ahead.failed(failed.cause());
      current = null;
      failed(failed.cause());
    } else if (end instanceof End.Unreadable broken) {
      ahead.failed(broken.cause());
    }
  }

  private void add(@Nullable Input input, @Nullable Delivery itself, Turn turn) {
    Input kept = input == null ? null : input.withoutBlob();
    batch.add(new Handled(kept, itself, turn), nanoTime.getAsLong());
  }

  private Step parkAfterBatch(Input first, String why) {
    if (!batch.isEmpty()) {
      return commit(List.of());
    }
    current = mail.removeFirst();
    state = State.COMMITTING;
    Throwable cause = first.broken() == null ? new IllegalStateException(why) : first.broken();
    return new Step.Park(first, cause, attempts);
  }

  private Step commit(List<Input> consumed) {
    state = State.COMMITTING;
    ahead.consuming(consumed);
    Step.CommitTurns step = new Step.CommitTurns(batch.turns(), consumed);
    underWay = step;
    return step;
  }

  /** What comes after a failed handler: first what was handled before it becomes durable. */
  private Step afterFailure(Throwable cause) {
    if (!batch.isEmpty()) {
      return commit(List.of());
    }
    Input failed = current;
    if (failed != null && attempts >= mostAttempts) {
      state = State.COMMITTING;
      return new Step.Park(failed, cause, attempts);
    }
    state = State.UNLOADED;
    pending = null;
    return new Step.Fail(cause);
  }

  void read(StoredMail read) {
    if (state == State.READING) {
      state = State.IDLE;
      backlog.counted(read.messages());
      mail.read(read.segments());
    }
  }

  /** The handler of the actor's own message succeeded. */
  void handled(Turn turn) {
    add(null, currentOwn, turn);
    currentOwn = null;
    state = State.IDLE;
  }

  /** The handler failed. A stored message stays; one of the actor's own is gone. */
  void failed(Throwable cause) {
    if (current != null) {
      attempts++;
    }
    pending = cause;
    state = State.IDLE;
  }

  /** The turns of the last {@link Step.CommitTurns} changed nothing durable. */
  void nothingToCommit() {
    batch.clear();
    ahead.committed();
    state = State.IDLE;
  }

  /**
   * The unit of the last commit step cannot be committed as it is. Several messages are tried again
   * one by one; a single one has used up an attempt. What the actor told itself is not tried again,
   * nor are those of an at-most-once actor: they are lost.
   */
  void refused(Throwable cause) {
    why = cause;
    if (consumesFirst()) {
      state = State.UNLOADED;
      return;
    }
    if (batch.size() > 1) {
      singly = batch.size();
    } else if (batch.consumed() > 0) {
      attempts++;
    }
    state = State.UNLOADED;
  }

  /** What the commit of the last {@link Step.CommitTurns} or {@link Step.Park} tells senders. */
  @Nullable MailboxHeader header() {
    said = backlog.after(consumed());
    return said;
  }

  private int consumed() {
    return batch.isEmpty() && current != null ? 1 : batch.consumed() + ahead.coming();
  }

  /** Whether the mailbox takes what the turns to be committed send to their own actor. */
  boolean takesOwn(int sent) {
    return backlog.takesOwn(sent - consumed());
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
    backlog.committed(consumed(), said);
    said = null;
    state = State.IDLE;
    ahead.committed();
    if (!batch.isEmpty()) {
      singly = Math.max(0, singly - batch.size());
      if (pending == null) {
        attempts = 0;
      }
      batch.clear();
      return null;
    }
    if (current == null) {
      return null; // only the header
    }
    Throwable behind = pending;
    attempts = 0;
    current = null;
    pending = null;
    if (behind != null) {
      state = State.UNLOADED;
    }
    return behind;
  }

  /** The life ended: nothing more is done until it is loaded again. */
  void unload(Throwable cause) {
    if (state != State.COMMITTING) {
      ahead.loseOpen(cause);
    }
    state = State.UNLOADED;
  }

  /** Another node runs the actor. */
  void disowned(Throwable cause) {
    state = State.UNLOADED;
    end(cause);
  }

  void stop(Throwable cause) {
    state = State.STOPPED;
    end(cause);
  }

  private void end(Throwable cause) {
    underWay = null;
    ahead.loseAll(cause);
  }

  /** The unit of that step is not durable and will not be; its life cannot go on. */
  void notCommitted(Step.CommitTurns step, Throwable cause) {
    if (step == underWay) {
      ahead.notCommitted(cause);
    }
  }

  /**
   * The unit of that step was under way when the life ended, and is durable, or may be. An
   * at-most-once actor must not be loaded before that is known, unless it was disowned.
   *
   * @param cause why what it consumed is lost if the actor does not run here any more
   */
  void landed(Step.CommitTurns step, Throwable cause) {
    if (step == underWay) {
      ahead.committed();
    } else {
      ahead.lose(step.ahead(), cause);
    }
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
    return attempts;
  }

  /** Messages read ahead and own ones. */
  int queued() {
    return mail.size() + ahead.size() + slice.size() + own.size() + batch.size();
  }

  /** Whether nothing is under way and nothing is known to wait. */
  boolean idle() {
    return state == State.IDLE && queued() == 0 && !mail.mayHaveMore() && pending == null;
  }
}
