package io.callboard.internal.durable;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DeliveryMode;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.context.TimedOut;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.turn.SliceResult;
import io.callboard.internal.turn.Turn;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.turn.TurnStep;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.store.BlobKey;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoredMail;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carrier of the {@link TurnLoop} for one life of a durable actor: reads, handles, commits and
 * parks as the loop decides. Every method is called on the durable context; after {@link #end} it
 * does nothing more.
 */
final class DurableTurns {
  private final DurableEnvironment environment;
  private final Owner owner;
  private final TurnLoop loop;
  private final ActorHistory history;
  private final ActorInstance actorInstance;
  private final DurableActorContext scope;
  private final RelayDriver relayDriver;
  private final DurableCommits commits;
  private final CommitUnitBuilder units;
  private final boolean effectsFirst;
  private boolean over;
  private boolean lingering;
  private @Nullable Promise<Void> resting;

  /** Owner of the turns: the runner. */
  interface Owner {
    ActorRefImpl<?> self();

    /** Returns the lease of the actor's partition. */
    Lease lease();

    /** Returns the mailbox of the actor over all its lives. */
    DurableMailbox mailbox();

    /**
     * Reports that the turn in which the actor deleted itself is durable: the actor begins anew.
     */
    void deleted();

    /**
     * Ends this life for a failure that the history has already.
     *
     * @param attempt whether the failure counts as an attempt of a message, and so as nothing else
     */
    void crashed(Throwable cause, boolean attempt);

    /** Ends this life for a failure, and adds it to the history. */
    void crashed(Kind kind, Throwable cause, boolean attempt);

    /** Ends this life for a failure that is no attempt of a message. */
    default void crashed(Kind kind, Throwable cause) {
      crashed(kind, cause, false);
    }

    /**
     * Ends this life for a failure outside of the handlers: in an effect after the commit, a timer
     * of the user's, a forgotten future.
     */
    void failedOutside(Throwable cause);
  }

  DurableTurns(
      DurableEnvironment environment,
      Owner owner,
      TurnLoop loop,
      CommitUnitBuilder units,
      ActorHistory history,
      ActorInstance actorInstance,
      DurableActorContext scope,
      RelayDriver relayDriver) {
    this.environment = environment;
    this.owner = owner;
    this.loop = loop;
    this.history = history;
    this.actorInstance = actorInstance;
    this.scope = scope;
    this.relayDriver = relayDriver;
    this.units = units;
    this.effectsFirst = loop.delivery() == DeliveryMode.AT_LEAST_ONCE;
    this.commits =
        new DurableCommits(
            environment, owner, loop, units, history, actorInstance, relayDriver, scope, this::run);
  }

  /** Returns whether outgoing messages wait for room, for their time, or for a confirmation. */
  boolean hasOutgoing() {
    return !relayDriver.isEmpty();
  }

  /** Returns the part of {@code mail} that the actor can take from memory. */
  List<Envelope> readable(List<Envelope> mail) {
    return actorInstance.actor().codec().readable(mail);
  }

  /** Begins after the loop is loaded. */
  void begin() {
    scope.up();
    Object state = scope.recovery().passTo(units.journal());
    commits.begin(
        actorInstance.actor() instanceof PersistentActor ? state : null,
        scope.recovery().newer().inState());
    relayDriver.goOn();
    run();
  }

  /** See {@link DurableCommits#firstSnapshot}. */
  Future<Void> firstSnapshot(Object state, long event) {
    return commits.firstSnapshot(state, event);
  }

  /** Returns whether the actor writes events. */
  boolean isPersistent() {
    return actorInstance.actor() instanceof PersistentActor;
  }

  /** See {@link ActorInstance#gone()}. */
  Future<Void> gone() {
    return actorInstance.gone();
  }

  /** See {@link ActorInstance#boundStart()}. */
  void boundStart() {
    actorInstance.boundStart();
  }

  /** See {@link ActorInstance#failStart}. */
  void failStart(Throwable cause) {
    actorInstance.failStart(cause);
  }

  /** Ends this life with its object. */
  Future<Void> end() {
    over = true;
    if (resting != null) {
      resting.tryComplete();
    }
    commits.end();
    return actorInstance
        .atLast(scope::close)
        .onComplete(done -> scope.leave()) // if its context was not free: before its children stop
        .compose(v -> environment.actors().host().stopChildren(path()))
        .compose(v -> actorInstance.end());
  }

  /**
   * Begins nothing new after the next call of {@link #run}. Completes when what was begun is
   * durable, or this life has ended.
   */
  Future<Void> rest() {
    if (resting == null) {
      resting = Promise.promise();
      loop.rest();
    }
    return over ? Future.succeededFuture() : resting.future();
  }

  /** Completes when no commit of this life is under way. */
  Future<Void> settled() {
    return commits.settled();
  }

  /** Carries out the loop's next step. */
  void run() {
    guarded(() -> carryOut(loop.next()));
  }

  /**
   * Runs a part of this life, which ends if that fails: the next one begins with what is stored.
   */
  private void guarded(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      owner.crashed(Kind.OUTSIDE, TransientFailure.of(e));
    }
  }

  private void carryOut(TurnStep step) {
    owner.mailbox().decided(step);
    if (resting != null && loop.isAtRest()) {
      resting.tryComplete();
    }
    if (step instanceof TurnStep.Read read) {
      read(read.from());
    } else if (step instanceof TurnStep.Fetch fetch) {
      fetch(fetch.envelope());
    } else if (step instanceof TurnStep.HandleMail mail) {
      Slice slice =
          new Slice(
              environment.node(),
              environment.asks(),
              environment.actors().deadLetters(),
              owner.self(),
              actorInstance,
              scope,
              effectsFirst);
      slice.handle(
          mail,
          loop.beforeLast(mail),
          (turns, end) -> back(() -> handled(turns, end)),
          () -> back(loop.direct()::slow));
    } else if (step instanceof TurnStep.HandleOwn own) {
      actorInstance.run(() -> handleOwn(own.delivery()));
    } else if (step instanceof TurnStep.CommitTurns turns) {
      commits.turns(turns);
      if (!over) {
        run(); // what may be handled meanwhile
      }
    } else if (step instanceof TurnStep.Linger linger) {
      linger(linger.nanos());
    } else if (step instanceof TurnStep.Park park) {
      commits.park(park);
    } else if (step instanceof TurnStep.Fail fail) {
      owner.crashed(fail.cause(), fail.attempt());
    }
  }

  private void linger(long nanos) {
    if (!lingering) {
      lingering = true;
      var unused =
          environment.node().after(Duration.ofNanos(nanos), () -> back(() -> lingering = false));
    }
  }

  private void read(long from) {
    environment.store().read(path(), from).onComplete(read -> back(() -> read(read)));
  }

  private void read(AsyncResult<StoredMail> read) {
    if (read.failed()) {
      owner.crashed(Kind.OUTSIDE, TransientFailure.of(read.cause()));
      return;
    }
    long now = environment.node().clock().millis();
    owner.mailbox().meter().read(read.result().segments(), now);
    loop.read(read.result());
  }

  private void fetch(Envelope envelope) {
    BlobKey key = new BlobKey(path(), Objects.requireNonNull(envelope.blob()));
    environment.blobs().fetch(key).onComplete(read -> back(() -> fetched(envelope, read)));
  }

  private void fetched(Envelope envelope, AsyncResult<byte[]> read) {
    if (read.succeeded()) {
      loop.fetched(read.result());
    } else if (read.cause() instanceof StoreException failure
        && failure.kind() == StoreException.Kind.CORRUPT) {
      loop.lacking(failure);
      String why = Causes.message(failure);
      environment
          .asks()
          .replyTo(envelope.replyTo())
          .fail(new CallboardException(Code.BAD_MESSAGE, why, failure));
    } else {
      owner.crashed(Kind.OUTSIDE, TransientFailure.of(read.cause()));
    }
  }

  private void handled(List<Turn> turns, SliceResult end) {
    if (end instanceof SliceResult.Failed failed) {
      environment.node().counters().failed.increment();
      history.failed(TimedOut.ofTurn(failed.cause()), failed.cause());
    }
    loop.handledMail(turns, end);
  }

  private void handleOwn(Delivery own) {
    Turn turn = new Turn(Reply.NONE, own.trace());
    if (!own.redeem()) {
      back(() -> loop.handled(turn)); // a timer that was cancelled meanwhile
      return;
    }
    scope.begin(turn, -1);
    scope.atHand(own.message());
    long begun = environment.node().nanoTime();
    boolean handled =
        actorInstance.handle(
            own.message(),
            failure ->
                settled(
                    turn,
                    failure == null
                        ? actorInstance.overdue(environment.node().nanoTime() - begun)
                        : failure));
    if (!handled) {
      back(loop.direct()::slow);
    }
  }

  private void settled(Turn turn, @Nullable Throwable failure) {
    IllegalStateException refused = scope.guard().misuse();
    scope.end();
    Throwable handled = failure != null ? failure : refused != null ? refused : turn.wrote();
    Throwable failed = effectsFirst && handled == null ? turn.leaveFirst() : handled;
    back(
        () -> {
          if (failed == null) {
            loop.handled(turn);
          } else {
            environment.node().counters().failed.increment();
            history.failed(TimedOut.ofTurn(failed), failed);
            loop.failed(failed);
          }
        });
  }

  private void back(Runnable event) {
    environment
        .node()
        .onDurableContext(
            () -> {
              if (!over) {
                guarded(event);
                run();
              }
            });
  }

  private ActorPath path() {
    return owner.self().path();
  }
}
