package io.callboard.turn;

import io.callboard.codecs.Envelope;
import io.callboard.mailbox.Delivery;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Loaded;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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

  /** Messages of the actor to itself (timers, piped futures) that may wait. */
  static final int MOST_OWN = 1_000;

  private final int mostAttempts;

  private ActorRecord record = ActorRecord.EMPTY;
  private int version = Write.NEW;
  private final MailAhead mail;
  private final Deque<Delivery> own = new ArrayDeque<>();
  private State state = State.UNLOADED;

  private final List<Handled> batch = new ArrayList<>();
  private long batchBytes;
  private List<Input> slice = List.of();
  private @Nullable Input current;
  private int attempts;
  private int singly;
  private @Nullable Throwable pending;

  private enum State {
    UNLOADED,
    IDLE,
    READING,
    HANDLING,
    COMMITTING,
    STOPPED
  }

  /** A message whose handler succeeded; {@code input} is null for the actor's own. */
  record Handled(@Nullable Input input, Turn turn) {}

  /** What to do now. */
  sealed interface Step {
    /** Nothing, until something happens. */
    record Wait() implements Step {}

    /** Read on, then {@link TurnLoop#read}. */
    record Read(long from) implements Step {}

    /** Handle stored mail, then {@link TurnLoop#handledMail}. */
    record HandleMail(List<Envelope> mail) implements Step {}

    /** Handle the actor's own message, then {@link TurnLoop#handled} or {@link TurnLoop#failed}. */
    record HandleOwn(Delivery delivery) implements Step {}

    /** Commit these, then {@link TurnLoop#committed}. */
    record CommitTurns(List<Handled> turns) implements Step {}

    /** Put the message aside, then {@link TurnLoop#committed}. */
    record Park(Input input, Throwable cause, int attempts) implements Step {}

    /** Tell the supervisor: the handler failed and all before it is committed. */
    record Fail(Throwable cause) implements Step {}
  }

  TurnLoop(String label, int mostAttempts) {
    this.mail = new MailAhead(label);
    this.mostAttempts = mostAttempts;
  }

  /** The actor was read; from here on it works. Attempts survive, nothing else does. */
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
    batchBytes = 0;
    slice = List.of();
    current = null;
    pending = null;
    mail.load(record, loaded.mail());
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
      mail.delivered(sequence, envelopes);
    } else {
      boolean unused = hint(sequence);
    }
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
    if (batch.size() >= most() || batchBytes >= BATCH_BYTES) {
      return commitBatch();
    }
    if (!own.isEmpty()) {
      state = State.HANDLING;
      current = null;
      return new Step.HandleOwn(own.removeFirst());
    }
    Input first = mail.first();
    if (first != null) {
      return start(first);
    }
    if (!batch.isEmpty()) {
      return commitBatch();
    }
    if (mail.takeHint()) {
      state = State.READING;
      return new Step.Read(mail.next());
    }
    return new Step.Wait();
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
      return parkAfterBatch(first, "its effects could not be committed");
    }
    List<Input> taken = new ArrayList<>();
    List<Envelope> envelopes = new ArrayList<>();
    for (int room = most() - batch.size(); room > 0; room--) {
      Input next = mail.first();
      Envelope envelope = next == null ? null : next.envelope();
      if (next == null || envelope == null || next.broken() != null) {
        break;
      }
      taken.add(mail.removeFirst());
      envelopes.add(envelope);
    }
    slice = taken;
    state = State.HANDLING;
    return new Step.HandleMail(envelopes);
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
      add(slice.get(i), turns.get(i));
    }
    int next = turns.size();
    for (int i = slice.size() - 1; i >= next; i--) {
      mail.putBack(slice.get(i));
    }
    slice = List.of();
    state = State.IDLE;
    if (end instanceof End.Failed failed) {
      current = mail.removeFirst();
      failed(failed.cause());
    } else if (end instanceof End.Unreadable broken) {
      Input input = mail.removeFirst();
      mail.putBack(
          new Input(
              input.sequence(), input.index(), input.last(), input.envelope(), broken.cause()));
    }
  }

  private void add(@Nullable Input input, Turn turn) {
    batch.add(new Handled(input, turn));
    batchBytes += turn.bytes();
  }

  private Step parkAfterBatch(Input first, String why) {
    if (!batch.isEmpty()) {
      return commitBatch();
    }
    current = mail.removeFirst();
    state = State.COMMITTING;
    Throwable cause = first.broken() == null ? new IllegalStateException(why) : first.broken();
    return new Step.Park(first, cause, attempts);
  }

  private Step commitBatch() {
    state = State.COMMITTING;
    return new Step.CommitTurns(List.copyOf(batch));
  }

  /** What comes after a failed handler: first what was handled before it becomes durable. */
  private Step afterFailure(Throwable cause) {
    if (!batch.isEmpty()) {
      return commitBatch();
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

  void read(List<StoredSegment> segments) {
    if (state == State.READING) {
      state = State.IDLE;
      mail.read(segments);
    }
  }

  /** The handler of the actor's own message succeeded. */
  void handled(Turn turn) {
    add(null, turn);
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
    batchBytes = 0;
    state = State.IDLE;
  }

  /**
   * The unit of the last commit step cannot be committed as it is. Several messages are tried again
   * one by one; a single one has used up an attempt.
   */
  void refused() {
    if (batch.size() > 1) {
      singly = batch.size();
    } else {
      attempts++;
    }
    state = State.UNLOADED;
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
    state = State.IDLE;
    if (!batch.isEmpty()) {
      singly = Math.max(0, singly - batch.size());
      if (pending == null) {
        attempts = 0;
      }
      batch.clear();
      batchBytes = 0;
      return null;
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

  /** Nothing more is done until it is loaded again. */
  void unload() {
    state = State.UNLOADED;
  }

  void stop() {
    state = State.STOPPED;
  }

  ActorRecord record() {
    return record;
  }

  int version() {
    return version;
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
    return mail.size() + slice.size() + own.size() + batch.size();
  }

  /** Whether nothing is under way and nothing is known to wait. */
  boolean idle() {
    return state == State.IDLE && queued() == 0 && !mail.mayHaveMore() && pending == null;
  }
}
