package io.callboard.internal.durable;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DeliveryMode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.MailboxStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.commit.Append;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.metrics.MailboxMeter;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.turn.AtMostOnceWindow;
import io.callboard.internal.turn.BypassMessage;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.internal.turn.SelfMessages;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.turn.TurnStep;
import io.callboard.journal.Redo;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one durable actor over all its lives: starts it, restarts it after crashes, ends it. {@link
 * DurableTurns} runs what happens in one life. Every method but {@link #status()} and those of
 * {@link io.callboard.internal.supervisor.Supervised} is called on the durable context.
 */
public final class DurableRunner extends ActorRunner implements DurableTurns.Owner {
  private static final Logger log = LoggerFactory.getLogger(DurableRunner.class);

  private final DurableEnvironment durable;
  private final TurnLoop loop;
  private final DurableStart starts;
  private final StopMark stop;
  private final MailboxMeter meter;
  private final MailNotifier mail;
  private @Nullable StoredHistory kept;
  private @Nullable Lease lease;
  private @Nullable DurableTurns life;
  private boolean starting;
  private boolean givenUp;
  private Runnable notRedone = () -> {};
  private Future<Void> landing = Future.succeededFuture();
  private Future<Void> before;
  private boolean held;
  private boolean leaving;
  private boolean began;
  private boolean stopped;
  private volatile boolean isForgotten;
  private long lastBusyNs;
  private Promise<Void> firstStart = Promise.promise();

  /**
   * @param before completes when nothing is left of an earlier actor of this path; never fails
   */
  public DurableRunner(
      DurableEnvironment durable,
      Supervisor supervisor,
      ActorRefImpl<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before) {
    super(durable.actors(), supervisor, self, options);
    this.durable = durable;
    this.held = isInZone();
    this.began = !held;
    this.before = before;
    this.loop =
        new TurnLoop(
            "the mailbox of " + self.path(),
            options.attempts(),
            options.delivery().orElse(DeliveryMode.EXACTLY_ONCE),
            new MailboxHeader(false, options.mailboxLimit(), options.whenFull()),
            durable.node()::nanoTime,
            this::lost);
    this.stop = new StopMark(durable, self.path());
    this.starts =
        new DurableStart(durable, supervisor, this, factory, options, loop, history, stop);
    loop.direct()
        .outlet(
            durable
                .appender()
                .outlet(
                    self.path(), loop.direct(), () -> durable.node().onDurableContext(this::run)));
    this.lastBusyNs = durable.node().nanoTime();
    this.meter = new MailboxMeter(lastBusyNs);
    this.mail =
        new MailNotifier(
            durable.node(), durable.store(), self.path(), loop, meter, this::readable, this::run);
  }

  /**
   * Reports a message that was consumed ahead of its handling and will not be handled: it becomes a
   * dead letter, and its ask fails.
   */
  private void lost(AtMostOnceWindow.Lost lost) {
    durable.actors().deadLetters().add(path(), null, lost.message(), lost.cause());
    durable
        .asks()
        .replyTo(lost.message().replyTo())
        .fail(Reply.handlerFailed(path(), lost.cause()));
  }

  /** Completes with the first start, or fails with it. */
  public Future<Void> firstStart() {
    return firstStart.future();
  }

  /** Begins to run the actor: this node owns its partition. */
  public void own(Lease granted) {
    boolean same = granted.equals(lease);
    lease = granted;
    leaving = false;
    if (!same && !stopped && life == null && isParked()) { // while nobody owned it
      held = true;
      history.isDown();
      storeStop();
      supervisor.park(this);
    } else if (!same && !stopped && life == null && !held) {
      history.isWanted();
      if (history.state() == State.ELSEWHERE) {
        history.is(State.STARTING);
      }
      activate();
    } else if (held && history.state() == State.ELSEWHERE) {
      history.isDown(); // what it rested for was not forgotten
    }
  }

  /**
   * Gives the actor up: another node owns it, or will. Completes when nothing of its last life or
   * start is under way here; never fails.
   */
  @CanIgnoreReturnValue
  public Future<Void> disown() {
    lease = null;
    history.is(State.ELSEWHERE);
    durable.actors().groups().left(self.path());
    CallboardException gone = CallboardException.stopped("actor " + self.path() + " on this node");
    loseOwn(true, gone);
    loop.disowned(gone);
    firstStart.tryComplete();
    stop.forget();
    if (!isInZone()) {
      held = false;
      history.isWanted();
      supervisor.forget(this);
    } else if (!held || history.rest() != null) {
      restsNoMoreHere();
    }
    durable.denials().allowed(label());
    if (kept != null) {
      kept.disowned();
    }
    return endLife();
  }

  /** Forgets what it rested for, which is its owner's on another node; a stop is in its record. */
  private void restsNoMoreHere() {
    history.isWanted();
    held = history.needs() != null;
    supervisor.elsewhere(this);
  }

  private boolean isParked() {
    Rest rest = history.rest();
    return rest != null && rest.asked();
  }

  /**
   * Hands the actor over: commits handled messages, begins nothing new, then gives it up. Completes
   * when nothing of it is under way, and never fails.
   */
  public Future<Void> leave() {
    leaving = true;
    DurableTurns now = life;
    if (now == null) {
      return disown();
    }
    return quiet(now)
        .transform(
            done ->
                durable
                    .node()
                    .fromDurableContext(Promise.promise(), () -> leaving ? disown() : before));
  }

  /**
   * Quiesces the actor, which wants to stop: commits handled messages and begins nothing new.
   * Completes when that is done, or this life has ended.
   */
  public Future<Void> quiet() {
    DurableTurns now = life;
    return now == null ? Future.succeededFuture() : quiet(now);
  }

  private Future<Void> quiet(DurableTurns now) {
    Future<Void> quiet = now.rest();
    run();
    return quiet;
  }

  // Its history.

  private StoredHistory kept() {
    if (kept == null) {
      kept = new StoredHistory(durable.node(), durable.store(), self.path(), history, () -> lease);
    }
    return kept;
  }

  @Override
  public void historyChanged() {
    durable.node().onDurableContext(this::keep);
  }

  private void keep() {
    durable.histories().write(kept());
  }

  /**
   * Failures known here, with the stored ones if this node owns the actor. Fails if those cannot be
   * read.
   */
  public Future<List<Failure>> failures() {
    return lease == null
        ? durable.store().failures(self.path())
        : kept().read().map(v -> history.failures());
  }

  /** Records that this node took the actor over from one that is gone. */
  public void nodeLost(String node) {
    history.noted(
        Kind.NODE_LOST, "node %s failed and had not released it".formatted(node), null, node);
  }

  public boolean isOwned() {
    return lease != null;
  }

  /**
   * Offers a message that bypasses the mailbox.
   *
   * @param room whether the node has room for it
   * @return whether the actor handles it
   */
  public boolean handles(Append message, boolean room) {
    boolean takes = life != null && lease != null && loop.offer(new BypassMessage(message), room);
    if (takes) {
      run();
    }
    return takes;
  }

  /** Bypass of the actor's mailbox. */
  public MailboxBypass direct() {
    return loop.direct();
  }

  /** Notifier of new mail. */
  public MailNotifier mail() {
    return mail;
  }

  /** Whether the actor has been idle for {@code nanos}. */
  public boolean idleFor(long nanos) {
    return life != null
        && loop.idle()
        && !life.hasOutgoing()
        && durable.node().nanoTime() - lastBusyNs >= nanos;
  }

  /** The record of a deleted actor, if nothing else is left of it. */
  public Optional<StoredRecord> remains() {
    boolean only = life != null && loop.idle() && !life.hasOutgoing() && starts.isEmpty();
    return only && loop.record().begun() > 0 && loop.record().snapshots().isEmpty()
        ? Optional.of(new StoredRecord(loop.record(), loop.version()))
        : Optional.empty();
  }

  private void activate() {
    Lease owned = lease;
    if (owned == null || stopped || held || starting || leaving) {
      return;
    } else if (!landing.isComplete() || !before.isComplete()) {
      Future.join(landing, before)
          .onComplete(v -> durable.node().onDurableContext(this::activateUnlessUp));
      return;
    }
    starting = true;
    starts
        .load(owned, () -> !stopped && !held && owned.equals(lease))
        .onComplete(read -> ended(read, () -> launch(read.result(), owned)));
  }

  private void activateUnlessUp() {
    if (life == null) {
      activate();
    }
  }

  private void launch(Loaded loaded, Lease owned) {
    if (stopped || held || !owned.equals(lease)) {
      starts.doneReading();
      activate(); // what was read may be another node's by now
      return;
    }
    starting = true;
    Promise<Void> over = Promise.promise();
    before = over.future();
    starts
        .launch(loaded, over)
        .onComplete(up -> ended(up, () -> started(up.result(), loaded, owned, over)));
  }

  /** Handles the end of one part of a start. */
  private void ended(AsyncResult<?> part, Runnable then) {
    durable
        .node()
        .onDurableContext(
            () -> {
              boolean wasGivenUp = givenUp;
              starting = false;
              givenUp = false;
              if (part.succeeded()) {
                then.run();
              } else if (wasGivenUp) {
                activate(); // if this node owns it again
              } else {
                notUp(part.cause());
              }
            });
  }

  private void notUp(Throwable cause) {
    if (cause instanceof StopMark.Stopped && stop.isLifted()) {
      activate(); // it was resumed since its record was read
      return;
    } else if (cause instanceof StopMark.Stopped) {
      firstStart.tryComplete();
      tellNotRedone();
      supervisor.park(this);
      return;
    }
    Optional<Runnable> waits = starts.notRedone(TransientFailure.why(cause));
    if (waits.isPresent()) {
      notRedone = waits.get();
      activate(); // as it was
    } else {
      failedStart(cause);
    }
  }

  /** Reports that another state was requested and not made, once the actor runs as before. */
  private void tellNotRedone() {
    Runnable tell = notRedone;
    notRedone = () -> {};
    tell.run();
  }

  /**
   * @param over to be completed when nothing of the start is under way
   */
  private void started(DurableTurns now, Loaded loaded, Lease owned, Promise<Void> over) {
    if (stopped || held || !owned.equals(lease)) {
      now.end().onComplete(done -> over.complete());
      activate();
      return;
    }
    over.complete();
    life = now;
    stop.began();
    try {
      loop.loaded(loaded);
    } catch (IllegalStateException e) {
      crashed(Kind.START, e);
      return;
    }
    meter.loaded(loop.record().next(), loaded.mail(), durable.node().clock().millis());
    history.is(State.RUNNING);
    durable.denials().allowed(label());
    supervisor.started(this);
    durable.actors().groups().joined(self.path(), true, options);
    if (kept != null) {
      durable.histories().again(kept);
    }
    firstStart.tryComplete();
    tellNotRedone();
    lastBusyNs = durable.node().nanoTime();
    now.begin();
    if (self.path().isRole()) {
      durable.events().serving(self.path(), owned);
    }
  }

  private void failedStart(Throwable cause) {
    Throwable why = TransientFailure.why(cause);
    history.failed(TimedOut.ofStart(cause), cause);
    firstStart.tryFail(CallboardException.startFailed(path(), why));
    tellNotRedone();
    if (!stopped && !held && lease != null) {
      supervise(cause);
    } else {
      starts.boundLast();
    }
    history.explain();
  }

  /** Fails the actor: the store denies this node its partition. */
  public void denied(StoreException cause) {
    if (!stopped && lease == null) {
      failedStart(cause);
      supervise(cause);
    }
  }

  /**
   * Fails the actor for good: nobody can own its partition before an operator has mended the lease.
   */
  public void unclaimable(StoreException cause) {
    if (!stopped && lease == null) {
      failedStart(cause);
      supervisor.failedForGood(this, cause);
    }
  }

  private void supervise(Throwable cause) {
    if (StoreException.isDenial(cause)) {
      durable.denials().denied(label(), cause);
      supervisor.failedForGood(this, cause);
    } else if (cause instanceof TransientFailure transientFailure) {
      if (transientFailure.why().kind() == StoreException.Kind.CONFLICT) {
        PartitionOwnership ownership = durable.ownership().get();
        ownership.changed(ownership.partition(path())); // its lease may be another node's by now
      }
      supervisor.interrupted(this, transientFailure.why());
    } else {
      supervisor.failed(this, cause);
    }
  }

  @Override
  public void toSelf(Delivery own) {
    if (!loop.offer(own)) {
      CallboardException full = CallboardException.mailboxFull(self.path(), SelfMessages.MOST);
      own.lost(full);
      durable.actors().deadLetters().add(self.path(), self.path(), own.message(), full);
      return;
    }
    run();
  }

  private List<Envelope> readable(List<Envelope> given) {
    return life == null ? given : life.readable(given);
  }

  private void run() {
    if (life != null) {
      life.run();
    }
  }

  @Override
  public MailboxMeter meter() {
    return meter;
  }

  @Override
  public void decided(TurnStep step) {
    mail.publish();
    if (!(step instanceof TurnStep.Wait)) {
      lastBusyNs = durable.node().nanoTime();
    }
  }

  @Override
  public ActorRefImpl<?> self() {
    return self;
  }

  @Override
  public Lease lease() {
    if (lease == null) {
      throw new IllegalStateException(self.path() + " works without a lease");
    }
    return lease;
  }

  @Override
  public void crashed(Throwable cause, boolean attempt) {
    DurableTurns crashed = life;
    if (crashed == null || stopped) {
      return;
    }
    loseOwn(false, cause);
    loop.unload(cause);
    if (loop.delivery() == DeliveryMode.AT_MOST_ONCE) {
      landing = crashed.settled(); // what it consumed is handled by the next life, or not
    }
    endLife().onComplete(v -> durable.node().onDurableContext(() -> restartAfter(cause, attempt)));
  }

  @Override
  public void deleted() {
    if (life == null || stopped) {
      return;
    }
    CallboardException gone = CallboardException.deleted(path());
    loseOwn(true, gone);
    loop.unload(gone);
    endLife().onComplete(v -> durable.node().onDurableContext(this::activateUnlessUp));
  }

  @Override
  public void crashed(Kind kind, Throwable cause, boolean attempt) {
    if (life != null && !stopped) {
      history.failed(TimedOut.unlessInterrupted(kind, cause), cause);
      crashed(cause, attempt);
    }
  }

  @Override
  public void failedOutside(Throwable cause) {
    if (life != null && !stopped) {
      durable.node().counters().failed.increment();
      crashed(Kind.OUTSIDE, cause);
    }
  }

  /**
   * Ends this life; the next one makes the state as an operator wants it. Completes when that is
   * durable; if it cannot be, the actor goes on as before.
   */
  public Future<Void> redo(Redo redo) {
    DurableTurns now = life;
    if (now == null || stopped || lease == null || leaving) {
      return Future.failedFuture(
          new CallboardException(
              Code.CONFLICT, "%s does not run now: try again when it runs".formatted(path())));
    } else if (!now.isPersistent()) {
      return Future.failedFuture(
          new CallboardException(
              Code.BAD_MESSAGE,
              "%s has no events to restore from: it is not a PersistentActor".formatted(path())));
    }
    CallboardException why = CallboardException.stopped("the life before of " + path());
    loseOwn(false, why);
    loop.unload(why);
    if (loop.delivery() == DeliveryMode.AT_MOST_ONCE) {
      landing = now.settled();
    }
    Future<Void> ended = endLife();
    Promise<Void> done = durable.node().promises().here();
    PendingRedo wanted =
        new PendingRedo(path(), redo, durable.node().node(), options.archived(), done);
    starts.redo(wanted);
    ended.onComplete(v -> durable.node().onDurableContext(this::activateUnlessUp));
    return wanted.done();
  }

  private void loseOwn(boolean forGood, Throwable cause) {
    for (Delivery own : loop.loseOwn(forGood)) {
      if (!own.endsWithItsLife()) {
        durable.actors().deadLetters().add(path(), path(), own.message(), cause);
      }
    }
  }

  private void restartAfter(Throwable cause, boolean attempt) {
    boolean ours = life == null && lease != null && !stopped && !held;
    if (ours
        && attempt
        && !(cause instanceof TransientFailure)
        && !StoreException.isDenial(cause)) {
      supervisor.failedAttempt(this, cause);
    } else if (ours) {
      supervise(cause);
    }
    history.explain();
  }

  /** Ends the present life or start. Completes when nothing of it is under way; never fails. */
  private Future<Void> endLife() {
    givenUp = starting;
    starts
        .notRedone(CallboardException.stopped("%s, before that was durable,".formatted(path())))
        .ifPresent(Runnable::run);
    tellNotRedone();
    starts.boundLast();
    DurableTurns now = life;
    life = null;
    if (now != null) {
      before = now.end().otherwiseEmpty(); // what goes wrong is logged there
    }
    return before;
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    durable.actors().groups().left(self.path());
    CallboardException why = stoppedCause();
    loseOwn(true, why);
    loop.stop(why);
    durable.denials().allowed(label());
    firstStart.tryFail(why);
    return endLife()
        .onComplete(
            done -> {
              history.is(State.STOPPED);
              isForgotten = true;
              leaveSupervisor();
            });
  }

  @Override
  public void begin() {
    history.isWanted(); // at once: it may be told to rest before the context is free
    durable
        .node()
        .onDurableContext(
            () -> {
              held = false;
              boolean again = began;
              began = true;
              if (life == null && lease != null && !stopped) {
                if (again) {
                  history.restarted();
                }
                activate();
              } else if (lease == null && !stopped) {
                durable
                    .ownership()
                    .get()
                    .want(self.path())
                    .onFailure(NodeContext::reportedElsewhere);
                supervisor.started(this); // over there, or as soon as it is owned
              } else if (life != null && !stopped) {
                supervisor.started(this); // it was owned again meanwhile, and began
              }
            });
  }

  @Override
  public void rest(String why, boolean asked) {
    super.rest(why, asked);
    hold();
    if (asked) {
      durable
          .node()
          .onDurableContext(
              () -> {
                stop.lower();
                storeStop();
              });
    }
  }

  @Override
  public void resumed() {
    super.resumed();
    durable.node().onDurableContext(this::lift);
  }

  /** Lets the next life begin although the actor was stopped. */
  public void lift() {
    stop.lift();
  }

  /**
   * Stores an operator's stop, once nothing of the actor is left here, so that it holds for the
   * next owner, too.
   */
  private void storeStop() {
    Lease owned = lease;
    if (owned != null && life == null && isParked() && !stopped) {
      before =
          before.transform(
              v ->
                  durable
                      .node()
                      .fromDurableContext(
                          Promise.promise(),
                          () -> stop.store(owned, () -> owned.equals(lease), this::isToStop)));
    }
  }

  private boolean isToStop() {
    return isParked() && !stopped;
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    super.needs(resting);
    if (resting != null) {
      hold();
    }
  }

  /** Keeps the actor down, also when its partition is owned again. */
  private void hold() {
    durable
        .node()
        .onDurableContext(
            () -> {
              if (history.rest() == null && history.needs() == null) {
                return; // resumed, or forgotten with its partition, meanwhile
              }
              held = isInZone() || lease != null;
              if (lease == null && isInZone() && history.rest() != null && runsElsewhere()) {
                forgetRest(); // it was decided while the partition was lost
              } else if (held) {
                durable.actors().groups().left(self.path()); // it may have begun until now
                if (life == null && lease != null) {
                  history.isDown(); // nor does what is being read begin
                }
              }
            });
  }

  @Override
  public void forgottenWhileStopping() {
    durable.node().onDurableContext(this::beginUnsupervised);
  }

  /**
   * Begins again after a stop whose supervisor forgot the actor with its partition, which this node
   * has regained since. An actor in a zone is begun by its zone.
   */
  private void beginUnsupervised() {
    boolean isFree = history.rest() == null && history.needs() == null;
    boolean isOurs = !isInZone() && lease != null && !durable.node().isClosing();
    if (isOurs && isFree && life == null && !stopped) {
      held = false;
      activate();
    }
  }

  private boolean runsElsewhere() {
    return durable.ownership().get().elsewhere(path()).isPresent();
  }

  private void forgetRest() {
    if (isParked()) {
      log.warn(
          "{} was stopped while another node took it over: it runs there; stop it again", label());
    }
    restsNoMoreHere();
  }

  @Override
  public Future<Void> end() {
    return durable
        .node()
        .fromDurableContext(
            Promise.promise(),
            () -> {
              if (stopped) {
                return before;
              }
              held = isInZone() || lease != null; // no say over another node's actor
              CallboardException why = stoppedCause();
              loseOwn(false, why);
              if (life != null) {
                loop.unload(why);
              }
              if (lease != null) {
                history.isDown();
              }
              Future<Void> ended = endLife();
              storeStop();
              return ended;
            });
  }

  @Override
  public Future<Void> done() {
    history.decided(Directive.STOP, null);
    return durable
        .node()
        .fromDurableContext(
            Promise.promise(), () -> stopped ? before : durable.actors().host().end(self.path()));
  }

  @Override
  public boolean becomesKnown() {
    return !isForgotten;
  }

  @Override
  public long work() {
    return history.handled();
  }

  @Override
  public void fails(Throwable cause) {
    durable
        .node()
        .onDurableContext(
            () -> {
              if (life == null) {
                starts.failLast(cause);
              } else {
                failedOutside(cause);
              }
            });
  }

  @Override
  public ActorStatus status() {
    MailboxStatus mailbox = meter.status(durable.node().nanoTime());
    return history.status(
        self.path(),
        starts.type(),
        true,
        options.zone(),
        mailbox.messages(),
        history.state() == State.ELSEWHERE ? null : mailbox,
        null,
        starts.recovering());
  }
}
