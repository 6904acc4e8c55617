package io.callboard.internal.durable;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.MailboxStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.Append;
import io.callboard.internal.history.StoredHistory;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.metrics.MailboxMeter;
import io.callboard.internal.ownership.RunConditions;
import io.callboard.internal.recovery.ActorLoader;
import io.callboard.internal.recovery.StopMark;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.turn.BypassMessage;
import io.callboard.internal.turn.MailboxBypass;
import io.callboard.journal.Redo;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runner of one durable actor over all the times that this node owns it: takes it over, hands it
 * over, stops it, and answers for it to the node, to operators and to its supervisor. {@link
 * DurableLives} are what it runs, {@link DurableSupervision} is its supervised half.
 *
 * <p>All state but {@link ActorRunner}'s is owned by the durable context. The methods of {@link
 * io.callboard.internal.supervisor.Supervised}, {@link #status()} and {@link #historyChanged()} may
 * be called on any thread; every other method is called on the durable context.
 */
public final class DurableRunner extends ActorRunner {
  private final DurableEnvironment durable;
  private final RunConditions conditions;
  private final StopMark stop;
  private final ActorLoader loader;
  private final LifeReports reports;
  private final DurableLives lives;
  private final DurableSupervision supervised;
  private @Nullable StoredHistory kept;
  private volatile boolean isForgotten;

  /**
   * @param before completes when nothing is left of an earlier actor of this path; never fails
   * @param left called with what is left once it has deleted itself; null if it was spawned
   */
  public DurableRunner(
      DurableEnvironment durable,
      Supervisor supervisor,
      ActorRefImpl<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before,
      @Nullable Consumer<StoredRecord> left) {
    super(durable.actors(), supervisor, self, options);
    this.durable = durable;
    this.conditions = new RunConditions(self.path(), isInZone());
    this.stop =
        new StopMark(
            durable.node(), durable.store(), durable.submit(), durable::fenced, self.path());
    this.loader =
        new ActorLoader(
            durable.node(), durable.store(), durable.recoveries(), self.path(), stop, left != null);
    this.reports = new LifeReports(durable, this, options, this::retryHistory);
    this.lives =
        new DurableLives(
            durable, this, self, factory, options, conditions, reports, stop, loader, before, left);
    this.supervised = new DurableSupervision(durable, this, conditions, lives, stop);
  }

  // Ownership.

  /** Begins to run the actor: this node owns its partition. */
  public void own(Lease granted) {
    boolean same = granted.equals(conditions.lease());
    conditions.own(granted);
    boolean canBegin = !same && !conditions.isStopped() && !lives.isUp();
    if (canBegin && supervised.isSuspended()) { // while nobody owned it
      supervised.suspend();
    } else if (canBegin && !conditions.isHeld()) {
      history.isWanted();
      if (history.state() == State.ELSEWHERE) {
        history.is(State.STARTING);
      }
      lives.activate();
    } else if (conditions.isHeld() && history.state() == State.ELSEWHERE) {
      history.isDown(); // what it rested for was not forgotten
    }
  }

  /** Puts the next start behind those that somebody waits for. */
  public void startsBehind() {
    loader.behind();
  }

  /** Reports that somebody waits for the start, if one is under way. */
  public void startsSoon() {
    loader.soon();
  }

  public boolean isOwned() {
    return conditions.isOwned();
  }

  /**
   * Gives the actor up: another node owns it, or will. Completes when nothing of its last life or
   * start is under way here; never fails.
   */
  @CanIgnoreReturnValue
  public Future<Void> disown() {
    conditions.disown();
    history.is(State.ELSEWHERE);
    durable.actors().groups().left(self.path());
    lives.disown(CallboardException.stopped("actor " + self.path() + " on this node"));
    stop.forget();
    supervised.disowned();
    durable.denials().allowed(label());
    if (kept != null) {
      kept.disowned();
    }
    return lives.end();
  }

  /**
   * Hands the actor over: commits handled messages, begins nothing new, then gives it up. Completes
   * when nothing of it is under way, and never fails.
   */
  public Future<Void> leave() {
    conditions.leave();
    return lives.isUp()
        ? lives
            .quiet()
            .transform(
                done ->
                    durable
                        .node()
                        .fromDurableContext(
                            Promise.promise(),
                            () -> conditions.isLeaving() ? disown() : lives.gone()))
        : disown();
  }

  /**
   * Quiesces the actor, which wants to stop: commits handled messages and begins nothing new.
   * Completes when that is done, or this life has ended.
   */
  public Future<Void> quiet() {
    return lives.quiet();
  }

  /** Fails the actor: the store denies this node its partition. */
  public void denied(StoreException cause) {
    if (!conditions.isStopped() && !conditions.isOwned()) {
      lives.failedStart(cause);
      reports.failed(cause, false);
    }
  }

  /**
   * Fails the actor for good: nobody can own its partition before an operator has mended the lease.
   */
  public void unclaimable(StoreException cause) {
    if (!conditions.isStopped() && !conditions.isOwned()) {
      lives.failedStart(cause);
      supervisor.failedForGood(this, cause);
    }
  }

  @Override
  public Future<Void> stop() {
    conditions.stop();
    durable.actors().groups().left(self.path());
    durable.denials().allowed(label());
    return lives
        .stop(stoppedCause())
        .onComplete(
            done -> {
              history.is(State.STOPPED);
              isForgotten = true;
              leaveSupervisor();
            });
  }

  // Its lives.

  /** Completes with the first start, or fails with it. */
  public Future<Void> firstStart() {
    return lives.firstStart();
  }

  /**
   * Ends the present life; the next one makes the state as an operator wants it. Completes when
   * that is durable; if it cannot be, the actor goes on as before.
   */
  public Future<Void> redo(Redo redo) {
    DurableTurns now = lives.life();
    if (now == null || conditions.isStopped() || !conditions.isOwned() || conditions.isLeaving()) {
      return Future.failedFuture(
          new CallboardException(
              Code.CONFLICT, "%s does not run now: try again when it runs".formatted(path())));
    } else if (!now.isPersistent()) {
      return Future.failedFuture(
          new CallboardException(
              Code.BAD_MESSAGE,
              "%s has no events to restore from: it is not a PersistentActor".formatted(path())));
    }
    return lives.redo(now, redo);
  }

  /** Returns whether the actor has been idle for {@code nanos}. */
  public boolean idleFor(long nanos) {
    return lives.isIdle() && lives.mailbox().idleNanos() >= nanos;
  }

  /** Returns the record of a deleted actor, if nothing else is left of it. */
  public Optional<StoredRecord> remains() {
    return lives.remains();
  }

  @Override
  public void fails(Throwable cause) {
    durable.node().onDurableContext(() -> lives.fail(cause));
  }

  /** Returns the figures of the mailbox. Any thread. */
  public MailboxMeter figures() {
    return lives.mailbox().meter();
  }

  @Override
  protected boolean hasMail() {
    return figures().depth() > 0;
  }

  @Override
  public ActorStatus status() {
    MailboxStatus mailbox = figures().status(durable.node().nanoTime());
    return history.status(
        self.path(),
        lives.starts().type(),
        true,
        options.zone(),
        mailbox.messages(),
        history.state() == State.ELSEWHERE ? null : mailbox,
        null,
        loader.recovering());
  }

  // Its mailbox.

  /** Returns the notifier of new mail. */
  public MailNotifier mail() {
    return lives.mailbox().mail();
  }

  /** Bypass of the actor's mailbox. */
  public MailboxBypass direct() {
    return lives.mailbox().loop().direct();
  }

  /**
   * Offers a message that bypasses the mailbox.
   *
   * @param room whether the node has room for it
   * @return whether the actor handles it
   */
  public boolean handles(Append message, boolean room) {
    boolean takes =
        lives.isUp()
            && conditions.isOwned()
            && lives.mailbox().loop().offer(new BypassMessage(message), room);
    if (takes) {
      lives.run();
    }
    return takes;
  }

  private StoredHistory kept() {
    if (kept == null) {
      kept =
          new StoredHistory(
              durable.node(), durable.store(), self.path(), history, conditions::lease);
    }
    return kept;
  }

  @Override
  public void historyChanged() {
    durable.node().onDurableContext(() -> durable.histories().write(kept()));
  }

  private void retryHistory() {
    if (kept != null) {
      durable.histories().again(kept);
    }
  }

  /**
   * Completes with the failures known here, with the stored ones if this node owns the actor. Fails
   * if those cannot be read.
   */
  public Future<List<Failure>> failures() {
    return conditions.isOwned()
        ? kept().read().map(v -> history.failures())
        : durable.store().failures(self.path());
  }

  /** Records that this node took the actor over from one that is gone. */
  public void nodeLost(String node) {
    history.noted(
        Kind.NODE_LOST, "node %s failed and had not released it".formatted(node), null, node);
  }

  // Decisions of its supervisor.

  @Override
  public void begin() {
    supervised.begin();
  }

  @Override
  public Future<Void> end() {
    return supervised.end();
  }

  @Override
  public void rest(String why, boolean asked) {
    super.rest(why, asked);
    supervised.rest(asked);
  }

  @Override
  public void resumed() {
    super.resumed();
    supervised.lift();
  }

  /** Allows the next life to begin although the actor was stopped. */
  public void lift() {
    stop.lift();
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    super.needs(resting);
    if (resting != null) {
      supervised.hold();
    }
  }

  @Override
  public void forgottenWhileStopping() {
    supervised.beginUnsupervised();
  }

  @Override
  public Future<Void> done() {
    history.decided(Directive.STOP, null);
    return supervised.done();
  }

  @Override
  public boolean becomesKnown() {
    return !isForgotten;
  }

  @Override
  public long work() {
    return history.handled();
  }
}
