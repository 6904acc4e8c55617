package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DeliveryMode;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.mailbox.Delivery;
import io.callboard.mailbox.Reply;
import io.callboard.metrics.MailboxMeter;
import io.callboard.store.BlobKey;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Does what the {@link TurnLoop} of one durable actor decides, through one life of the actor:
 * reads, handles, commits, parks. Every method is called on the durable context; after {@link #end}
 * nothing of it happens any more.
 */
final class DurableTurns {
  private final CallboardRuntime runtime;
  private final Owner owner;
  private final TurnLoop loop;
  private final History history;
  private final Incarnation incarnation;
  private final DurableScope scope;
  private final Dispatcher dispatcher;
  private final DurableCommits commits;
  private final UnitBuilder units;
  private final boolean effectsFirst;
  private boolean over;
  private boolean lingering;
  private @Nullable Promise<Void> resting;

  /** Whose turns they are. */
  interface Owner {
    Ref<?> self();

    /** Of the actor's partition. */
    Lease lease();

    /** What the loop says is being done. */
    void decided(Step step);

    /** The actor tells itself something. */
    void toSelf(Delivery message);

    MailboxMeter meter();

    /** The last turn of the actor is durable: it begins anew. */
    void deleted();

    /**
     * This life cannot go on, because of what the history tells already.
     *
     * @param attempt whether that is counted as an attempt of a message, and so as nothing else
     */
    void crashed(Throwable cause, boolean attempt);

    /** The same; the history is told. */
    void crashed(Kind kind, Throwable cause, boolean attempt);

    /** The same, by what is no message. */
    default void crashed(Kind kind, Throwable cause) {
      crashed(kind, cause, false);
    }

    /**
     * The same, because something of the actor's failed that is no handler: an effect after the
     * commit, a timer of its own, a forgotten future.
     */
    void failedOutside(Throwable cause);
  }

  DurableTurns(
      CallboardRuntime runtime,
      Owner owner,
      TurnLoop loop,
      UnitBuilder units,
      History history,
      Incarnation incarnation,
      DurableScope scope,
      Dispatcher dispatcher) {
    this.runtime = runtime;
    this.owner = owner;
    this.loop = loop;
    this.history = history;
    this.incarnation = incarnation;
    this.scope = scope;
    this.dispatcher = dispatcher;
    this.units = units;
    this.effectsFirst = loop.delivery() == DeliveryMode.AT_LEAST_ONCE;
    this.commits =
        new DurableCommits(
            runtime, owner, loop, units, history, incarnation, dispatcher, scope, this::run);
  }

  /** Whether messages of the actor wait for room, for their time, or for a confirmation. */
  boolean hasOutgoing() {
    return !dispatcher.isEmpty();
  }

  /** What of {@code mail} its actor can take from memory. */
  List<Envelope> readable(List<Envelope> mail) {
    return incarnation.actor().codec().readable(mail);
  }

  /** The loop is loaded. */
  void begin() {
    scope.up();
    Object state = scope.recovery().tell(units.journal());
    commits.begin(
        incarnation.actor() instanceof PersistentActor ? state : null,
        scope.recovery().newer().inState());
    dispatcher.goOn();
    run();
  }

  /** See {@link DurableCommits#firstSnapshot}. */
  Future<Void> firstSnapshot(Object state, long event) {
    return commits.firstSnapshot(state, event);
  }

  /** Whether the actor writes events. */
  boolean isPersistent() {
    return incarnation.actor() instanceof PersistentActor;
  }

  /** See {@link Incarnation#gone()}. */
  Future<Void> gone() {
    return incarnation.gone();
  }

  /** See {@link Incarnation#boundStart()}. */
  void boundStart() {
    incarnation.boundStart();
  }

  /** See {@link Incarnation#failStart}. */
  void failStart(Throwable cause) {
    incarnation.failStart(cause);
  }

  /** Ends this life with its object. */
  Future<Void> end() {
    over = true;
    if (resting != null) {
      resting.tryComplete();
    }
    commits.end();
    return incarnation
        .atLast(scope::close)
        .compose(v -> runtime.actors().stopChildren(path()))
        .compose(v -> incarnation.end());
  }

  /**
   * Nothing new is begun from now on, once {@link #run} was called. Completes when what was begun
   * is durable, or this life has ended.
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

  /** Does what is to be done now. */
  void run() {
    Step step = loop.next();
    owner.decided(step);
    if (resting != null && loop.isAtRest()) {
      resting.tryComplete();
    }
    if (step instanceof Step.Read read) {
      read(read.from());
    } else if (step instanceof Step.Fetch fetch) {
      fetch(fetch.envelope());
    } else if (step instanceof Step.HandleMail mail) {
      Slice slice = new Slice(runtime, owner.self(), incarnation, scope, effectsFirst);
      slice.handle(
          mail, (turns, end) -> back(() -> handled(turns, end)), () -> back(loop.direct()::slow));
    } else if (step instanceof Step.HandleOwn own) {
      incarnation.run(() -> handleOwn(own.delivery()));
    } else if (step instanceof Step.CommitTurns turns) {
      commits.turns(turns);
      if (!over) {
        run(); // what may be handled meanwhile
      }
    } else if (step instanceof Step.Linger linger) {
      linger(linger.nanos());
    } else if (step instanceof Step.Park park) {
      commits.park(park);
    } else if (step instanceof Step.Fail fail) {
      owner.crashed(fail.cause(), fail.attempt());
    }
  }

  private void linger(long nanos) {
    if (!lingering) {
      lingering = true;
      var unused = runtime.after(Duration.ofNanos(nanos), () -> back(() -> lingering = false));
    }
  }

  private void read(long from) {
    runtime
        .store()
        .read(path(), from)
        .onComplete(
            read ->
                runtime.onDurableContext(
                    () -> {
                      if (over) {
                        return;
                      }
                      if (read.failed()) {
                        owner.crashed(Kind.OUTSIDE, Interruption.of(read.cause()));
                        return;
                      }
                      owner.meter().read(read.result().segments(), runtime.clock().millis());
                      try {
                        loop.read(read.result());
                      } catch (StoreException e) {
                        owner.crashed(Kind.OUTSIDE, Interruption.of(e));
                        return;
                      }
                      run();
                    }));
  }

  private void fetch(Envelope envelope) {
    BlobKey key = new BlobKey(path(), Objects.requireNonNull(envelope.blob()));
    runtime.largeBodies().fetch(key).onComplete(read -> fetched(envelope, read));
  }

  private void fetched(Envelope envelope, AsyncResult<byte[]> read) {
    if (over) {
      return;
    } else if (read.succeeded()) {
      loop.fetched(read.result());
    } else if (read.cause() instanceof StoreException failure
        && failure.kind() == StoreException.Kind.CORRUPT) {
      loop.lacking(failure);
      String why = String.valueOf(failure.getMessage());
      runtime
          .asks()
          .replyTo(envelope.replyTo())
          .fail(new CallboardException(Code.BAD_MESSAGE, why, failure));
    } else {
      owner.crashed(Kind.OUTSIDE, Interruption.of(read.cause()));
      return;
    }
    run();
  }

  private void handled(List<Turn> turns, SliceEnd end) {
    if (end instanceof SliceEnd.Failed failed) {
      runtime.counters().failed.increment();
      history.failed(Overdue.ofTurn(failed.cause()), failed.cause());
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
    long begun = runtime.nanoTime();
    boolean handled =
        incarnation.handle(
            own.message(),
            failure ->
                settled(
                    turn,
                    failure == null ? incarnation.overdue(runtime.nanoTime() - begun) : failure));
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
            runtime.counters().failed.increment();
            history.failed(Overdue.ofTurn(failed), failed);
            loop.failed(failed);
          }
        });
  }

  private void back(Runnable event) {
    runtime.onDurableContext(
        () -> {
          if (!over) {
            event.run();
            run();
          }
        });
  }

  private ActorPath path() {
    return owner.self().path();
  }
}
