package io.callboard.internal.turn;

import io.callboard.DeliveryMode;
import io.callboard.codecs.Envelope;
import io.callboard.internal.readahead.Backlog;
import io.callboard.internal.readahead.Doorbell;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.internal.readahead.ReadAhead;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredRecord;
import io.callboard.time.Machine;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State of a {@link TurnLoop}: its parts, the conditions of the {@link TurnRule rules}, and their
 * steps. A machine without I/O; not thread-safe.
 */
@Machine
final class TurnState {
  private static final TurnStep WAIT = new TurnStep.Wait();

  final DeliveryMode delivery;
  final Attempts trial;
  final Backlog backlog;
  final MailboxBypass direct;
  final ReadAhead mail;
  final BypassSettlement bypassSettlement;
  final Doorbell doorbell;
  final SelfMessages own = new SelfMessages();
  final Batch batch = new Batch();
  final Batch committing = new Batch();
  final AtMostOnceWindow ahead;
  final InFlightMail inFlightMail;
  final Consumption consumption;
  private final LongSupplier nanoTime;
  private final int mostAside;

  Phase phase = Phase.UNLOADED;
  ActorRecord record = ActorRecord.EMPTY;
  int version = Write.NEW;
  BooleanSupplier chores = () -> false;

  /** True if nothing new is begun any more in this life. */
  boolean resting;

  /** Message that failed, or is parked. */
  @Nullable MailboxMessage current;

  /** Failure of a handler that was not reported yet. */
  @Nullable Throwable pending;

  /** Next message of the mailbox, while a rule is chosen. */
  private @Nullable MailboxMessage first;

  /** Time at which a rule is chosen: one for all conditions, so that no two see different ones. */
  private long decidesNanos;

  /** Time at which the last commit of turns began. */
  private long commitBeganNanos;

  /** Phase of the loop: the operation under way. */
  enum Phase {
    UNLOADED,
    IDLE,
    READING,
    FETCHING,
    HANDLING,
    COMMITTING,
    STOPPED
  }

  /** See {@link TurnLoop}. */
  TurnState(
      String label,
      int mostAttempts,
      DeliveryMode delivery,
      MailboxHeader header,
      LongSupplier nanoTime,
      Consumer<AtMostOnceWindow.Lost> lost) {
    this.direct = new MailboxBypass(header.limit());
    this.mail = new ReadAhead(label, this::claims);
    this.bypassSettlement = new BypassSettlement(direct, mail, batch, nanoTime);
    this.trial = new Attempts(mostAttempts);
    this.delivery = delivery;
    this.mostAside = Math.min(TurnLoop.MOST_ASIDE, header.limit() / 4);
    this.backlog = new Backlog(header);
    this.doorbell = new Doorbell(mail, backlog);
    this.nanoTime = nanoTime;
    this.ahead = new AtMostOnceWindow(lost);
    this.inFlightMail = new InFlightMail(mail, ahead, consumesFirst());
    this.consumption = new Consumption(mail, backlog, committing, ahead);
  }

  private boolean claims(MailboxMessage found) {
    trial.found(found);
    return direct.claims(found);
  }

  /** See {@link TurnLoop#loaded}. */
  void loaded(Loaded loaded) {
    StoredRecord stored = loaded.record().orElse(null);
    record = stored == null ? ActorRecord.EMPTY : stored.record();
    version = stored == null ? Write.NEW : stored.version();
    batch.clear();
    committing.clear();
    inFlightMail.forget();
    current = null;
    pending = null;
    resting = false;
    trial.consumed(record.consumed());
    consumption.loaded(record.consumed(), loaded);
    doorbell.open();
    phase = Phase.IDLE;
  }

  /** Ends the life. */
  void close(Phase now) {
    phase = now;
    bypassSettlement.forget();
    doorbell.close();
    direct.lifeEnded();
  }

  /** Ends the commit under way. */
  void committed() {
    phase = phase == Phase.COMMITTING ? Phase.IDLE : phase;
  }

  /** Notes how long the commit of turns took that is durable now. */
  void tookTurns() {
    batch.commitTook(now() - commitBeganNanos);
  }

  // Questions.

  /** Returns whether a life goes on. */
  boolean isUp() {
    return phase != Phase.UNLOADED && phase != Phase.STOPPED;
  }

  /** Returns whether a message may bypass the mailbox without overtaking another. */
  boolean takesDirect() {
    return !resting
        && isUp()
        && phase != Phase.READING
        && phase != Phase.FETCHING
        && delivery == DeliveryMode.EXACTLY_ONCE
        && pending == null
        && !trial.isAlone()
        && mail.lanes().size() == 0
        && !mail.mayHaveMore();
  }

  /** Returns the number of messages in memory. */
  int queued() {
    return mail.lanes().size()
        + ahead.size()
        + inFlightMail.size()
        + own.size()
        + batch.size()
        + committing.size()
        + direct.size();
  }

  long now() {
    return nanoTime.getAsLong();
  }

  int mostAside() {
    return mostAside;
  }

  boolean consumesFirst() {
    return delivery == DeliveryMode.AT_MOST_ONCE;
  }

  /**
   * Returns the limit of the batch: a message that is tried again commits alone, so that its
   * attempts are its own.
   */
  private int most() {
    return trial.isAlone() ? 1 : Batch.MOST;
  }

  /** Returns whether the batch takes no further turn. */
  boolean isDue() {
    return batch.isDue(most(), decidesNanos);
  }

  /**
   * Returns whether the commit may be delayed: non-durable effects have left, and no message is
   * sent.
   */
  boolean mayLinger() {
    return delivery == DeliveryMode.AT_LEAST_ONCE && !batch.sends();
  }

  boolean isCommitting() {
    return !committing.isEmpty();
  }

  /** Returns whether this life begins nothing new, and has handled all that it consumed. */
  boolean isResting() {
    return resting && ahead.isEmpty();
  }

  /** Sets the mail and the time that the rules look at. */
  void look() {
    first = mail.lanes().first();
    decidesNanos = now();
  }

  boolean hasMail() {
    return first != null;
  }

  /** Returns whether the next message exists and cannot be read. */
  boolean isUnreadable() {
    return first != null && (first.broken() != null || first.envelope() == null);
  }

  /** Returns whether the next message exists and its body is still in the blob log. */
  boolean lacksBody() {
    Envelope envelope = first == null ? null : first.envelope();
    return envelope != null && envelope.lacksBody();
  }

  /** Returns whether the next message exists and has had its last attempt. */
  boolean isExhausted() {
    return first != null && trial.isExhausted(first);
  }

  /** Returns whether the message that failed has had its last attempt. */
  boolean hasFailedForGood() {
    return pending != null && current != null && trial.isExhausted(current);
  }

  private int stashRoom() {
    return consumesFirst() ? -1 : mostAside - mail.lanes().aside();
  }

  // The steps.

  TurnStep await() {
    return WAIT;
  }

  TurnStep read() {
    mail.takeHint();
    phase = Phase.READING;
    doorbell.reading();
    return new TurnStep.Read(mail.next());
  }

  TurnStep commit() {
    return commit(List.of());
  }

  /** Commits handled messages and consumes the next ones; at-most-once only. */
  TurnStep consume() {
    return commit(inFlightMail.take(AtMostOnceWindow.MOST, batch));
  }

  /**
   * @throws IllegalStateException if a commit is under way: its outcome would be taken for that of
   *     both
   */
  private TurnStep commit(List<MailboxMessage> consumed) {
    if (isCommitting()) {
      throw new IllegalStateException("a commit is under way already");
    }
    boolean goesOn = !consumesFirst() && batch.goesOn();
    phase = goesOn ? Phase.IDLE : Phase.COMMITTING;
    direct.committing(batch.turns());
    commitBeganNanos = decidesNanos;
    committing.take(batch);
    TurnStep.CommitTurns step = new TurnStep.CommitTurns(committing.turns(), consumed);
    ahead.consuming(step);
    return step;
  }

  TurnStep linger() {
    return new TurnStep.Linger(batch.remainingNanos(decidesNanos));
  }

  TurnStep fetch() {
    phase = Phase.FETCHING;
    return new TurnStep.Fetch(inFlightMail.fetch());
  }

  TurnStep handleOwn() {
    phase = Phase.HANDLING;
    current = null;
    return new TurnStep.HandleOwn(own.take());
  }

  TurnStep handleConsumed() {
    return handle(ahead.take());
  }

  TurnStep handleMail() {
    return handle(inFlightMail.take(most() - batch.size(), batch));
  }

  private TurnStep handle(List<MailboxMessage> next) {
    phase = Phase.HANDLING;
    return inFlightMail.handOut(next, record.consumed(), stashRoom());
  }

  TurnStep handleDirect() {
    phase = Phase.HANDLING;
    return new TurnStep.HandleMail(direct.take(most() - batch.size()), List.of(), stashRoom());
  }

  /** Parks the next message with its failure. */
  TurnStep park() {
    MailboxMessage parked = mail.lanes().removeFirst();
    current = parked;
    phase = Phase.COMMITTING;
    Throwable why = parked.broken() == null ? trial.why() : parked.broken();
    return new TurnStep.Park(
        why == null || parked.broken() != null ? parked : parked.broken(why),
        why == null ? new IllegalStateException("its effects could not be committed") : why,
        trial.attempts());
  }

  /** Parks the message that failed. */
  TurnStep parkFailed() {
    phase = Phase.COMMITTING;
    return new TurnStep.Park(failed(current), failed(pending), trial.attempts());
  }

  /** Ends the life with the failure; the supervisor decides. */
  TurnStep fail() {
    TurnStep failure = new TurnStep.Fail(failed(pending), current != null);
    close(Phase.UNLOADED);
    pending = null;
    return failure;
  }

  private static <T> T failed(@Nullable T what) {
    return Objects.requireNonNull(what, "by the rule");
  }
}
