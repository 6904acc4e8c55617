package io.callboard.internal.inmemory;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Priority;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.LocalActor;
import io.callboard.internal.messaging.Termination;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zone;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runner of a volatile actor over all its lives. While it is down its mail waits, in order, within
 * the mailbox's limit.
 */
public final class VolatileRunner extends ActorRunner
    implements VolatileTurns.Owner, LifeOwner, LocalActor {
  private static final Logger log = LoggerFactory.getLogger(VolatileRunner.class);
  private static final Future<Void> TAKEN = Future.succeededFuture();

  private final VolatileMail mail;
  private final VolatileLives lives;
  private final Zone zone;

  public VolatileRunner(
      ActorEnvironment environment,
      Supervisor supervisor,
      ActorRefImpl<?> self,
      Supplier<? extends Actor<?>> factory,
      ActorOptions options) {
    super(environment, supervisor, self, options);
    this.mail = new VolatileMail(self.path(), options, environment.deadLetters());
    this.lives = new VolatileLives(this, environment, self, factory, options, mail);
    this.zone = environment.zones().zone(options.zone());
  }

  // Start and end.

  /** Begins the first life when the supervisor decides to. */
  public Future<Void> startInZone(Actor<?> object) {
    return lives.startInZone(object);
  }

  /** Begins a life with a new object of the factory's. */
  public Future<Void> start(Actor<?> object) {
    return lives.start(object);
  }

  @Override
  public void begin() {
    history.isWanted();
    lives.beginNext();
  }

  @Override
  public Future<Void> end() {
    return lives.end(false);
  }

  @Override
  public Future<Void> stop() {
    return lives.end(true);
  }

  /** Stops handling messages; a stop follows. */
  public void halt() {
    VolatileTurns now = lives.present();
    if (now != null) {
      now.end();
    }
  }

  @Override
  public Future<Void> done() {
    history.decided(Directive.STOP, null);
    return lives.isStopped() ? lives.busy() : environment.host().end(self.path());
  }

  @Override
  public boolean becomesKnown() {
    return lives.becomesKnown();
  }

  @Override
  public boolean isStopped() {
    return lives.isStopped();
  }

  @Override
  public @Nullable Termination howEnded() {
    if (lives.isEnded()) {
      return stopped();
    }
    boolean up = history.rest() == null && !lives.isDown();
    String why = up ? null : history.whyDown();
    return why == null ? null : new Termination(why, restsBy());
  }

  Termination stopped() {
    Failure own = history.fatal();
    boolean ofZone = own == null && supervisor instanceof FailureZoneRunner;
    return new Termination(
        "it was stopped", ofZone ? ((FailureZoneRunner) supervisor).endedBy() : own);
  }

  @Override
  public void rest(String why, boolean asked) {
    super.rest(why, asked);
    environment.deathWatch().ended(this, () -> new Termination(why, restsBy()));
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    super.needs(resting);
    if (lives.isDown()) {
      isDown();
    }
  }

  /** Tells its watchers, when nothing of it is left, if it does not begin again by itself. */
  void isDown() {
    ActorPath resting = needs();
    if (resting != null) {
      environment
          .deathWatch()
          .ended(this, () -> new Termination(ActorHistory.needing(resting), restsBy()));
    }
  }

  // Messages.

  @Override
  public Future<Void> offer(Object item, Priority priority) {
    return zone.isShut()
        ? Future.failedFuture(CallboardException.zoneFull(self.path(), zone.name()))
        : put(item, priority);
  }

  private Future<Void> put(Object item, Priority priority) {
    if (lives.isStopped()) {
      return Future.failedFuture(stoppedCause());
    }
    Object noPlace = mail.offer(item, priority);
    if (noPlace == item) {
      return Future.failedFuture(mail.full());
    }
    added(noPlace);
    return TAKEN;
  }

  /**
   * Goes on after a message was added.
   *
   * @param displaced the one without a place; null if there is none
   */
  private void added(@Nullable Object displaced) {
    wake();
    if (displaced != null) {
      mail.lose(displaced, mail.full());
    }
    if (lives.isEnded()) {
      mail.loseAll(stoppedCause());
    }
  }

  /** Adds a message of the actor to itself; those of its timers are taken beyond the limit, too. */
  @Override
  public void offerOwn(Delivery own) {
    if (lives.isStopped()) { // with all that it had begun
      own.lost(stoppedCause());
      return;
    }
    Object noPlace = mail.offerOwn(own);
    if (noPlace != own) {
      added(noPlace);
    } else {
      mail.loseOwn(own);
    }
  }

  /** Wakes the present life; mail that it does not handle any more waits for the next one. */
  @Override
  public void wake() {
    VolatileTurns now = lives.present();
    if (now != null) {
      now.wake();
    }
  }

  @Override
  public @Nullable CallboardException refusal(Object message) {
    ProtocolCodec<Object> known = lives.protocol();
    return known == null || takes(known, message) ? null : notOfProtocol(message);
  }

  /** Returns whether a message is of the protocol; first asked for its root, which is fastest. */
  private static boolean takes(ProtocolCodec<Object> codec, Object message) {
    Class<?> root = codec.protocol(); // of several protocols it is Object
    return (root != Object.class && root.isInstance(message)) || codec.knows(message);
  }

  private CallboardException notOfProtocol(Object message) {
    return new CallboardException(
        Code.BAD_MESSAGE,
        "%s is not of the protocol of %s: tell it one of its messages"
            .formatted(message.getClass().getName(), label()));
  }

  @Override
  public boolean isForeign(VolatileTurns life, Object item) {
    Object message = Delivery.from(item).message();
    boolean foreign = !takes(life.codec(), message);
    if (foreign) {
      mail.lose(item, notOfProtocol(message));
    }
    return foreign;
  }

  @Override
  public @Nullable ProtocolCodec<Object> codec() {
    VolatileTurns now = lives.present();
    return now == null ? null : now.codec();
  }

  @Override
  public void handled(int count) {
    history.handled(count);
    environment.node().counters().handled.add(count);
  }

  @Override
  public void overdue(Delivery delivery) {
    mail.lose(delivery, CallboardException.overdue(self.path()));
  }

  @Override
  public long work() {
    return history.handled() - history.failed(); // one whose handler failed counts as handled
  }

  // Failures.

  /** Reports a call that belongs to no turn. Any thread. */
  @Override
  public void refusedCall(IllegalStateException cause) {
    environment.refusedCalls().add(cause, () -> history.noted(Kind.OUTSIDE, cause));
  }

  @Override
  public void fails(Throwable cause) {
    VolatileTurns starting = lives.starting();
    if (starting != null) {
      starting.failStart(cause);
    } else {
      failedOutside(cause);
    }
  }

  /**
   * Handles a failure outside of the handlers: in a timer of the user's, a forgotten future, or of
   * a child. Any thread: a handler that another thread runs keeps its message until the context is
   * free. One that runs here has completed the future whose callback failed, so its message fails.
   */
  void failedOutside(Throwable cause) {
    VolatileTurns now = lives.present();
    if (now != null && supervisor.resumes(this, cause)) {
      goesOn(Kind.OUTSIDE, cause);
    } else if (now != null) {
      crashed(
          now,
          cause,
          () -> {
            failure(Kind.OUTSIDE, cause);
            if (now.isInHandler()) {
              now.failCurrent(() -> ofMessage(cause));
            }
          });
    } else {
      log.warn(
          "{} failed outside of its handlers, while it was being restarted",
          label(),
          Causes.readable(cause));
    }
  }

  @Override
  public boolean failed(VolatileTurns failed, Kind kind, Throwable cause) {
    if (!supervisor.resumes(this, cause)) {
      crashed(
          failed,
          cause,
          () -> {
            failure(kind, cause);
            failed.failCurrent(() -> ofMessage(cause));
          });
      return false;
    }
    goesOn(kind, cause);
    failed.failCurrent(() -> ofMessage(cause));
    if (log.isDebugEnabled()) {
      log.debug(
          "a message of {} failed, and the actor is resumed", label(), Causes.readable(cause));
    }
    return true;
  }

  private void failure(Kind kind, Throwable cause) {
    environment.node().counters().failed.increment();
    history.failed(kind, cause);
  }

  private void goesOn(Kind kind, Throwable cause) {
    failure(kind, cause);
    history.decided(Directive.RESUME, null);
    history.explain();
  }

  private void crashed(VolatileTurns crashed, Throwable cause, Runnable record) {
    lives.crash(crashed, cause, record, () -> ofMessage(cause));
  }

  /** Failure of the ask of the message that was being handled. */
  private Throwable ofMessage(Throwable cause) {
    return Reply.handlerFailed(self.path(), cause);
  }

  /**
   * Escalates to the parent. The failure of an actor that is being stopped is taken and ignored,
   * even if its parent is gone by now.
   */
  @Override
  public boolean escalates(Throwable cause) {
    return lives.isStopped() || super.escalates(cause);
  }

  /** Returns the number of messages that wait. */
  public long queued() {
    return mail.size();
  }

  @Override
  protected boolean hasMail() {
    return mail.size() > 0;
  }

  @Override
  public ActorStatus status() {
    VolatileTurns now = lives.present();
    Record details = now == null ? null : now.statusDetails();
    return history.status(
        self.path(), lives.type(), false, options.zone(), mail.size(), null, details, null);
  }
}
