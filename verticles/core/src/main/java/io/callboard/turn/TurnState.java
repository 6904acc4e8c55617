package io.callboard.turn;

import io.callboard.DeliveryMode;
import io.callboard.codecs.Envelope;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoredRecord;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State of a {@link TurnLoop}: its parts, what the {@link TurnRule rules} ask of them, and the
 * steps that the rules take. A machine without I/O; not thread-safe.
 */
final class TurnState {
  private static final Step WAIT = new Step.Wait();

  final DeliveryMode delivery;
  final Trial trial;
  final Backlog backlog;
  final DirectMail direct;
  final MailAhead mail;
  final Placement placement;
  final Doorbell doorbell;
  final OwnMail own = new OwnMail();
  final Batch batch = new Batch();
  final Batch committing = new Batch();
  final ConsumedAhead ahead;
  final Handout handout;
  final Consumption consumption;
  private final LongSupplier nanoTime;
  private final int mostAside;

  Phase phase = Phase.UNLOADED;
  ActorRecord record = ActorRecord.EMPTY;
  int version = Write.NEW;
  BooleanSupplier chores = () -> false;

  /** Nothing new is begun any more, in this life. */
  boolean resting;

  /** The message that failed, or is parked. */
  @Nullable Input current;

  /** Why a handler failed of which nobody was told yet. */
  @Nullable Throwable pending;

  /** The next message of the mailbox, while a rule is chosen. */
  private @Nullable Input first;

  /** What is under way. */
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
      Consumer<ConsumedAhead.Lost> lost) {
    this.direct = new DirectMail(header.limit());
    this.mail = new MailAhead(label, this::claims);
    this.placement = new Placement(direct, mail, batch, nanoTime);
    this.trial = new Trial(mostAttempts);
    this.delivery = delivery;
    this.mostAside = Math.min(TurnLoop.MOST_ASIDE, header.limit() / 4);
    this.backlog = new Backlog(header);
    this.doorbell = new Doorbell(mail, backlog);
    this.nanoTime = nanoTime;
    this.ahead = new ConsumedAhead(lost);
    this.handout = new Handout(mail, ahead, consumesFirst());
    this.consumption = new Consumption(mail, backlog, committing, ahead);
  }

  private boolean claims(Input found) {
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
    handout.forget();
    current = null;
    pending = null;
    resting = false;
    trial.consumed(record.consumed());
    consumption.loaded(record.consumed(), loaded);
    doorbell.open();
    phase = Phase.IDLE;
  }

  /** The life has ended. */
  void close(Phase now) {
    phase = now;
    placement.forget();
    doorbell.close();
    direct.lifeEnded();
  }

  /** The commit under way has ended. */
  void committed() {
    phase = phase == Phase.COMMITTING ? Phase.IDLE : phase;
  }

  // What is asked of it.

  /** Whether a life goes on. */
  boolean isUp() {
    return phase != Phase.UNLOADED && phase != Phase.STOPPED;
  }

  /** Whether a message may be handled without being stored first: it overtakes none. */
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

  /** Messages in memory. */
  int queued() {
    return mail.lanes().size()
        + ahead.size()
        + handout.size()
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

  /** A message that is tried again commits alone: its attempts are its own. */
  private int most() {
    return trial.isAlone() ? 1 : Batch.MOST;
  }

  /** Whether the batch takes no further turn. */
  boolean isDue() {
    return batch.isDue(most(), now());
  }

  /** Whether nobody waits for a commit: what is not durable has left, and nothing else is sent. */
  boolean mayLinger() {
    return delivery == DeliveryMode.AT_LEAST_ONCE && !batch.sends();
  }

  boolean isCommitting() {
    return !committing.isEmpty();
  }

  /** Whether this life begins nothing new, and nothing that it consumed is left to be handled. */
  boolean isResting() {
    return resting && ahead.isEmpty();
  }

  /** The rules are about the mail that waits now. */
  void lookAtMail() {
    first = mail.lanes().first();
  }

  boolean hasMail() {
    return first != null;
  }

  /** Whether there is a next message, and nobody can read it. */
  boolean isUnreadable() {
    return first != null && (first.broken() != null || first.envelope() == null);
  }

  /** Whether there is a next message, and its body is still in the blob log. */
  boolean lacksBody() {
    Envelope envelope = first == null ? null : first.envelope();
    return envelope != null && envelope.lacksBody();
  }

  /** Whether there is a next message, and it was tried often enough. */
  boolean isExhausted() {
    return first != null && trial.isExhausted(first);
  }

  /** Whether the message that failed was tried often enough. */
  boolean hasFailedForGood() {
    return pending != null && current != null && trial.isExhausted(current);
  }

  private int stashRoom() {
    return consumesFirst() ? -1 : mostAside - mail.lanes().aside();
  }

  // The steps.

  Step await() {
    return WAIT;
  }

  Step read() {
    mail.takeHint();
    phase = Phase.READING;
    doorbell.reading();
    return new Step.Read(mail.next());
  }

  Step commit() {
    return commit(List.of());
  }

  /** At most once: the commit of what was handled consumes what is handled next. */
  Step consume() {
    return commit(handout.take(ConsumedAhead.MOST, batch));
  }

  private Step commit(List<Input> consumed) {
    boolean goesOn = !consumesFirst() && batch.goesOn();
    phase = goesOn ? Phase.IDLE : Phase.COMMITTING;
    direct.committing(batch.turns());
    committing.take(batch);
    Step.CommitTurns step = new Step.CommitTurns(committing.turns(), consumed);
    ahead.consuming(step);
    return step;
  }

  Step linger() {
    return new Step.Linger(batch.remainingNanos(now()));
  }

  Step fetch() {
    phase = Phase.FETCHING;
    return new Step.Fetch(handout.fetch());
  }

  Step handleOwn() {
    phase = Phase.HANDLING;
    current = null;
    return new Step.HandleOwn(own.take());
  }

  Step handleConsumed() {
    return handle(ahead.take());
  }

  Step handleMail() {
    return handle(handout.take(most() - batch.size(), batch));
  }

  private Step handle(List<Input> next) {
    phase = Phase.HANDLING;
    return handout.handOut(next, record.consumed(), stashRoom());
  }

  Step handleDirect() {
    phase = Phase.HANDLING;
    return new Step.HandleMail(direct.take(most() - batch.size()), List.of(), stashRoom());
  }

  /** The next message is put aside for an operator, with what was wrong with it. */
  Step park() {
    Input parked = mail.lanes().removeFirst();
    current = parked;
    phase = Phase.COMMITTING;
    Throwable why = parked.broken() == null ? trial.why() : parked.broken();
    return new Step.Park(
        why == null || parked.broken() != null ? parked : parked.broken(why),
        why == null ? new IllegalStateException("its effects could not be committed") : why,
        trial.attempts());
  }

  /** The message that failed is put aside. */
  Step parkFailed() {
    phase = Phase.COMMITTING;
    return new Step.Park(failed(current), failed(pending), trial.attempts());
  }

  /** The supervisor decides, and the life ends. */
  Step fail() {
    Step failure = new Step.Fail(failed(pending), current != null);
    close(Phase.UNLOADED);
    pending = null;
    return failure;
  }

  private static <T> T failed(@Nullable T what) {
    return Objects.requireNonNull(what, "by the rule");
  }
}
