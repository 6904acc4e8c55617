package io.callboard.turn;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorStatus;
import io.callboard.ActorStatus.State;
import io.callboard.CallboardException;
import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.mailbox.Delivery;
import io.callboard.metrics.MailboxMeter;
import io.callboard.metrics.MailboxStatus;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lives of one durable actor: starts, crashes, ends and begins again. What happens in a life is
 * carried by its {@link DurableTurns}. Every method but {@link #status()} and those of {@link
 * io.callboard.supervision.Supervised} is called on the durable context.
 */
final class DurableRunner implements Runner, DurableTurns.Owner {
  private final CallboardRuntime runtime;
  private final Ref<?> self;
  private final ActorOptions options;
  private final History history;
  private final TurnLoop loop;
  private final DurableStart starts;
  private final MailboxMeter meter;
  private final DurableMail mail;
  private @Nullable Lease lease;
  private @Nullable DurableTurns life;
  private boolean starting;
  private boolean givenUp;
  private Future<Void> landing = Future.succeededFuture();
  private Future<Void> before;
  private boolean stopped;
  private long lastBusyNs;
  private Promise<Void> firstStart = Promise.promise();

  /**
   * @param before completes when nothing is left of an actor that had its path here; never fails
   */
  DurableRunner(
      CallboardRuntime runtime,
      Ref<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options,
      Future<Void> before) {
    this.runtime = runtime;
    this.self = self;
    this.options = options;
    this.before = before;
    this.history = new History(runtime.clock());
    this.loop =
        new TurnLoop(
            "the mailbox of " + self.path(),
            options.attempts(),
            options.delivery().orElse(DeliveryMode.EXACTLY_ONCE),
            new MailboxHeader(false, options.mailboxLimit(), options.whenFull()),
            runtime::nanoTime,
            lost -> lose(lost.message(), lost.cause()));
    this.starts = new DurableStart(runtime, this, factory, options, loop, history);
    this.lastBusyNs = runtime.nanoTime();
    this.meter = new MailboxMeter(lastBusyNs);
    this.mail = new DurableMail(runtime, self.path(), loop, meter, this::readable, this::run);
  }

  /** Completes at the first start, or fails with it. */
  Future<Void> firstStart() {
    return firstStart.future();
  }

  /** This node owns the actor's partition. */
  void own(Lease granted) {
    boolean same = granted.equals(lease);
    lease = granted;
    if (!same && !stopped && life == null) {
      activate();
    }
  }

  /**
   * Another node owns it, or will. Completes when nothing of its last life or start is under way
   * here; never fails.
   */
  @CanIgnoreReturnValue
  Future<Void> disown() {
    lease = null;
    history.is(State.ELSEWHERE);
    runtime.groups().left(self.path());
    CallboardException gone = CallboardException.stopped("actor " + self.path() + " on this node");
    loseOwn(true, gone);
    loop.disowned(gone);
    firstStart.tryComplete();
    runtime.supervisor().forget(this);
    runtime.denials().allowed(label());
    return endLife();
  }

  boolean isOwned() {
    return lease != null;
  }

  /** What it is told of new mail. */
  DurableMail mail() {
    return mail;
  }

  /** Whether nothing happened for {@code nanos}. */
  boolean idleFor(long nanos) {
    return life != null
        && loop.idle()
        && !life.hasOutgoing()
        && runtime.nanoTime() - lastBusyNs >= nanos;
  }

  private void activate() {
    Lease owned = lease;
    if (owned == null || stopped || starting) {
      return;
    } else if (!landing.isComplete() || !before.isComplete()) {
      Future.join(landing, before)
          .onComplete(v -> runtime.onDurableContext(this::activateUnlessUp));
      return;
    }
    starting = true;
    starts.load(owned).onComplete(read -> ended(read, () -> launch(read.result(), owned)));
  }

  private void activateUnlessUp() {
    if (life == null) {
      activate();
    }
  }

  private void launch(Loaded loaded, Lease owned) {
    if (stopped || !owned.equals(lease)) {
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

  /** A part of a start did. */
  private void ended(AsyncResult<?> part, Runnable then) {
    runtime.onDurableContext(
        () -> {
          boolean wasGivenUp = givenUp;
          starting = false;
          givenUp = false;
          if (part.succeeded()) {
            then.run();
          } else if (wasGivenUp) {
            activate(); // if this node owns it again
          } else {
            failedStart(part.cause());
          }
        });
  }

  /**
   * @param over to be completed when nothing of the start is under way
   */
  private void started(DurableTurns now, Loaded loaded, Lease owned, Promise<Void> over) {
    if (stopped || !owned.equals(lease)) {
      now.end().onComplete(done -> over.complete());
      activate();
      return;
    }
    over.complete();
    life = now;
    try {
      loop.loaded(loaded);
    } catch (IllegalStateException e) {
      crashed(e);
      return;
    }
    meter.loaded(loop.record().next(), loaded.mail(), runtime.clock().millis());
    history.is(State.RUNNING);
    runtime.denials().allowed(label());
    runtime.supervisor().started(this);
    runtime.groups().joined(self.path(), true, options);
    firstStart.tryComplete();
    lastBusyNs = runtime.nanoTime();
    now.begin();
  }

  private void failedStart(Throwable cause) {
    Throwable why = cause instanceof Interruption interruption ? interruption.why() : cause;
    history.failed(why);
    firstStart.tryFail(
        new CallboardException(
            CallboardException.Code.START_FAILED,
            "%s could not be started: %s".formatted(self.path(), why.getMessage()),
            why));
    if (!stopped && lease != null) {
      supervise(cause);
    } else {
      starts.boundLast();
    }
  }

  /** The store denies the partition: it cannot be owned, here. */
  void denied(StoreException cause) {
    if (!stopped && lease == null) {
      failedStart(cause);
      supervise(cause);
    }
  }

  /** Nobody can own the partition before an operator mended its lease. */
  void unclaimable(StoreException cause) {
    if (!stopped && lease == null) {
      failedStart(cause);
      runtime.supervisor().failedForGood(this, cause);
    }
  }

  private void supervise(Throwable cause) {
    if (StoreException.isDenial(cause)) {
      runtime.denials().denied(label(), cause);
      runtime.supervisor().failedForGood(this, cause);
    } else if (cause instanceof Interruption interruption) {
      runtime.supervisor().interrupted(this, interruption.why());
    } else {
      runtime.supervisor().failed(this, cause);
    }
  }

  @Override
  public void toSelf(Delivery own) {
    if (!loop.offer(own)) {
      CallboardException full = CallboardException.mailboxFull(self.path(), OwnMail.MOST);
      own.lost(full);
      runtime.deadLetters().add(self.path(), self.path(), own.message(), full);
      return;
    }
    run();
  }

  /** What it consumed ahead of its handling will not be handled; its asker is told. */
  private void lose(Envelope message, Throwable cause) {
    runtime.deadLetters().add(self.path(), null, message, cause);
    runtime
        .asks()
        .replyTo(message.replyTo())
        .fail(CallboardRuntime.handlerFailed(self.path(), cause));
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
  public void decided(Step step) {
    mail.publish();
    if (!(step instanceof Step.Wait)) {
      lastBusyNs = runtime.nanoTime();
    }
  }

  @Override
  public Ref<?> self() {
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
  public void crashed(Throwable cause) {
    DurableTurns crashed = life;
    if (crashed == null || stopped) {
      return;
    }
    loseOwn(false, cause);
    loop.unload(cause);
    if (StoreException.isDenial(cause) || cause instanceof Interruption) {
      history.failed(cause);
    }
    if (loop.delivery() == DeliveryMode.AT_MOST_ONCE) {
      landing = crashed.settled(); // what it consumed is handled by the next life, or not
    }
    endLife().onComplete(v -> runtime.onDurableContext(() -> restartAfter(cause)));
  }

  @Override
  public void failedOutside(Throwable cause) {
    if (life != null && !stopped) {
      runtime.counters().failed.increment();
      history.failed(cause);
      crashed(cause);
    }
  }

  private void loseOwn(boolean forGood, Throwable cause) {
    loop.loseOwn(forGood).stream()
        .filter(own -> !own.endsWithItsLife())
        .forEach(own -> runtime.deadLetters().add(self.path(), self.path(), own.message(), cause));
  }

  private void restartAfter(Throwable cause) {
    if (life == null && lease != null && !stopped) {
      supervise(cause);
    }
  }

  /** Completes when nothing of the last life or start is under way; never fails. */
  private Future<Void> endLife() {
    givenUp = starting;
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
    runtime.groups().left(self.path());
    CallboardException why = CallboardException.stopped("actor " + self.path());
    loseOwn(true, why);
    loop.stop(why);
    runtime.supervisor().forget(this);
    runtime.denials().allowed(label());
    firstStart.tryFail(why);
    return endLife().onComplete(done -> history.is(State.STOPPED));
  }

  @Override
  public void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void restart() {
    runtime.onDurableContext(
        () -> {
          if (life == null && lease != null && !stopped) {
            history.restarted();
            activate();
          } else if (lease == null && !stopped) {
            runtime.ownership().want(self.path()).onFailure(CallboardRuntime::reportedElsewhere);
          }
        });
  }

  @Override
  public void rest(String why) {
    history.is(State.FAILED);
    runtime.groups().left(self.path());
  }

  @Override
  public SupervisionOptions supervision() {
    return options.supervision();
  }

  @Override
  public ActorPath path() {
    return self.path();
  }

  ActorOptions options() {
    return options;
  }

  @Override
  public State state() {
    return history.state();
  }

  @Override
  public ActorStatus status() {
    MailboxStatus mailbox = meter.status(runtime.nanoTime());
    return history.status(
        self.path(),
        runtime.node(),
        starts.type(),
        true,
        options.zone(),
        mailbox.messages(),
        history.state() == State.ELSEWHERE ? null : mailbox);
  }
}
