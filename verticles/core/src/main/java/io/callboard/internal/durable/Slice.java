package io.callboard.internal.durable;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.ParkedDelivery;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.turn.Batch;
import io.callboard.internal.turn.SliceResult;
import io.callboard.internal.turn.Turn;
import io.callboard.internal.turn.TurnStep;
import io.callboard.store.MailPlace;
import io.callboard.supervision.Causes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One slice of handling: message after message on the actor's context, without a hop between them.
 * It ends early when the handled messages are enough for a commit, when its time has passed (the
 * zone's other actors want theirs), or at the first failure. Used once.
 */
final class Slice {
  private static final long QUANTUM_NANOS = 5_000_000;
  private static final int MOST_RECEIVERS = 100;

  private final NodeContext node;
  private final PendingAsks asks;
  private final DeadLetters deadLetters;
  private final ActorRef<?> self;
  private final ActorInstance actorInstance;
  private final DurableActorContext scope;
  private final ProtocolCodec<Object> codec;
  private final boolean effectsFirst;
  private final List<Turn> turns = new ArrayList<>();
  private final Set<ActorPath> receivers = new HashSet<>();
  private List<Envelope> mail = List.of();
  private List<MailPlace> places = List.of();
  private BiConsumer<List<Turn>, SliceResult> done = (turns, end) -> {};
  private Runnable waits = () -> {};
  private @Nullable Throwable failedBefore;
  private int stashRoom;
  private boolean ends;
  private long bytes;
  private long begunNanos;
  private long nowNanos;

  /**
   * @param effectsFirst whether non-durable effects leave without waiting for the commit
   */
  Slice(
      NodeContext node,
      PendingAsks asks,
      DeadLetters deadLetters,
      ActorRef<?> self,
      ActorInstance actorInstance,
      DurableActorContext scope,
      boolean effectsFirst) {
    this.node = node;
    this.asks = asks;
    this.deadLetters = deadLetters;
    this.self = self;
    this.actorInstance = actorInstance;
    this.scope = scope;
    this.codec = actorInstance.actor().codec();
    this.effectsFirst = effectsFirst;
  }

  /**
   * Handles mail.
   *
   * @param beforeLast the failure of the attempt before, of one message at its last attempt; else
   *     null
   * @param whenDone called on the actor's context with the turns and how the slice ended; not at
   *     all if the actor's life ends first
   * @param whenWaiting called there, once, if a handler has returned a future that is awaited
   */
  void handle(
      TurnStep.HandleMail step,
      @Nullable Throwable beforeLast,
      BiConsumer<List<Turn>, SliceResult> whenDone,
      Runnable whenWaiting) {
    mail = step.mail();
    places = step.places();
    stashRoom = step.stashRoom();
    failedBefore = beforeLast;
    done = whenDone;
    waits = whenWaiting;
    actorInstance.run(
        () -> {
          nowNanos = node.nanoTime();
          begunNanos = nowNanos;
          goOn();
        });
  }

  private void goOn() {
    while (turns.size() < mail.size() && !isEnough()) {
      if (!handleNext(mail.get(turns.size()))) {
        return;
      }
    }
    done.accept(turns, new SliceResult.Paused());
  }

  private boolean isEnough() {
    return !turns.isEmpty()
        && (ends
            || bytes >= Batch.BYTES
            || receivers.size() >= MOST_RECEIVERS
            || nowNanos - begunNanos >= QUANTUM_NANOS);
  }

  /**
   * Handles one message.
   *
   * @return whether it has succeeded already; if not, the rest follows elsewhere
   */
  private boolean handleNext(Envelope envelope) {
    Reply reply = asks.replyTo(envelope.replyTo());
    if (envelope.handling().isOverdue(node.clock().millis())) {
      return overdue(envelope, reply);
    }
    long timer = envelope.handling().timer();
    if (timer > 0 && !scope.timers().isRunning(timer)) {
      turns.add(new Turn(Reply.NONE)); // it was cancelled meanwhile
      return true;
    }
    Object message;
    try {
      if (ParkedDelivery.is(envelope)) {
        return deliverAgain(envelope);
      }
      message = codec.decode(envelope);
    } catch (CodecException e) {
      reply.fail(new CallboardException(CallboardException.Code.BAD_MESSAGE, Causes.message(e), e));
      done.accept(turns, new SliceResult.Unreadable(e));
      return false;
    } catch (RuntimeException | Error e) { // of the user's code that reads it, such as an upcast
      reply.fail(Reply.handlerFailed(self.path(), e));
      done.accept(turns, new SliceResult.Failed(e));
      return false;
    }
    Turn turn = new Turn(reply, envelope.trace());
    scope.begin(turn, stashRoom);
    scope.atHand(message);
    scope.handles(places.isEmpty() ? null : places.get(turns.size()), failedBefore);
    boolean[] here = {true, false};
    boolean handled =
        actorInstance.handle(
            message,
            failure -> {
              boolean well = settled(turn, timer, failure);
              here[1] = well;
              if (well && !here[0]) {
                goOn();
              }
            });
    here[0] = false;
    if (!handled) {
      waits.run();
      waits = () -> {};
    }
    return handled && here[1];
  }

  /** Begins a replayed delivery again; no handler is involved. */
  private boolean deliverAgain(Envelope envelope) {
    ParkedDelivery parked = ParkedDelivery.read(envelope, self.address());
    Turn turn = new Turn(Reply.NONE);
    scope.begin(turn, -1);
    Throwable failure = null;
    try {
      scope.deliveries().again(turn, parked);
    } catch (IllegalStateException e) {
      failure = e; // there are too many
    }
    return settled(turn, 0, failure);
  }

  /** Drops a message whose deadline has passed. */
  private boolean overdue(Envelope envelope, Reply reply) {
    Turn turn = new Turn(reply);
    CallboardException late = CallboardException.overdue(self.path());
    turn.leaving(
        () -> {
          reply.fail(late);
          deadLetters.add(self.path(), null, envelope, late);
        });
    scope.begin(turn, -1);
    return settled(turn, 0, null);
  }

  /**
   * @param timer the number of the timer whose message it was; 0 if there is none
   */
  private boolean settled(Turn turn, long timer, @Nullable Throwable thrown) {
    if (timer > 0 && thrown == null && !turn.isAside()) {
      scope.timers().handled(turn, timer);
    }
    IllegalStateException refused = scope.guard().misuse();
    scope.end();
    long before = nowNanos;
    nowNanos = node.nanoTime();
    Throwable late = thrown != null ? thrown : actorInstance.overdue(nowNanos - before);
    Throwable failure = late != null ? late : refused != null ? refused : misuse(turn);
    if (failure == null && effectsFirst) {
      failure = turn.leaveFirst(); // what its effects throw is an attempt of its message
    }
    if (failure != null) {
      turn.reply().fail(Reply.handlerFailed(self.path(), failure));
      done.accept(turns, new SliceResult.Failed(failure));
      return false;
    }
    turns.add(turn);
    stashRoom -= turn.isAside() ? 1 : 0;
    ends = turn.releases() || turn.deletes();
    bytes += turn.bytes();
    turn.outgoing().forEach(outgoing -> receivers.add(outgoing.receiver()));
    return true;
  }

  /**
   * Returns the failure of a turn for refused calls; a stashed message is handled again, so nothing
   * may have come of it.
   */
  private @Nullable Throwable misuse(Turn turn) {
    if (turn.wrote() != null) {
      return turn.wrote();
    }
    return turn.isAside() && !turn.doesNothing()
        ? new IllegalStateException(
            "%s stashed a message and had effects in the same turn, which would be repeated when it is unstashed: stash without effects"
                .formatted(self.path()))
        : null;
  }
}
