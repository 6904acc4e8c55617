package io.callboard.turn;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.mailbox.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles mail on the actor's context, message after message, without a hop between them. It ends
 * early when what was handled is enough for a commit, when its time is over (the zone's other
 * actors want theirs), or at the first failure. Used once.
 */
final class Slice {
  private static final long QUANTUM_NANOS = 5_000_000;
  private static final int MOST_RECEIVERS = 100;

  private final CallboardRuntime runtime;
  private final ActorRef<?> self;
  private final Incarnation incarnation;
  private final DurableScope scope;
  private final ProtocolCodec<Object> codec;
  private final boolean effectsFirst;
  private final List<Turn> turns = new ArrayList<>();
  private final Set<ActorPath> receivers = new HashSet<>();
  private List<Envelope> mail = List.of();
  private BiConsumer<List<Turn>, SliceEnd> done = (turns, end) -> {};
  private long bytes;
  private long endNanos;

  /**
   * @param effectsFirst whether what is not durable leaves without waiting for the commit
   */
  Slice(
      CallboardRuntime runtime,
      ActorRef<?> self,
      Incarnation incarnation,
      DurableScope scope,
      boolean effectsFirst) {
    this.runtime = runtime;
    this.self = self;
    this.incarnation = incarnation;
    this.scope = scope;
    this.codec = incarnation.actor().codec();
    this.effectsFirst = effectsFirst;
  }

  /**
   * @param whenDone told on the actor's context what was handled and how it ended; not at all if
   *     the actor's life ends first
   */
  void handle(List<Envelope> messages, BiConsumer<List<Turn>, SliceEnd> whenDone) {
    mail = messages;
    done = whenDone;
    incarnation.run(
        () -> {
          endNanos = runtime.nanoTime() + QUANTUM_NANOS;
          goOn();
        });
  }

  private void goOn() {
    while (turns.size() < mail.size() && !isEnough()) {
      if (!handleNext(mail.get(turns.size()))) {
        return;
      }
    }
    done.accept(turns, new SliceEnd.Paused());
  }

  private boolean isEnough() {
    return !turns.isEmpty()
        && (bytes >= Batch.BYTES
            || receivers.size() >= MOST_RECEIVERS
            || runtime.nanoTime() - endNanos >= 0);
  }

  /** Whether it is done, and well; if not, the rest follows elsewhere. */
  private boolean handleNext(Envelope envelope) {
    Reply reply = runtime.asks().replyTo(envelope.replyTo());
    Object message;
    try {
      message = codec.decode(envelope);
    } catch (CodecException e) {
      reply.fail(new CallboardException(CallboardException.Code.BAD_MESSAGE, e.getMessage(), e));
      done.accept(turns, new SliceEnd.Unreadable(e));
      return false;
    }
    Turn turn = new Turn(reply);
    scope.begin(turn);
    boolean[] here = {true, false};
    boolean handled =
        incarnation.handle(
            message,
            failure -> {
              boolean well = settled(turn, failure);
              here[1] = well;
              if (well && !here[0]) {
                goOn();
              }
            });
    here[0] = false;
    return handled && here[1];
  }

  private boolean settled(Turn turn, @Nullable Throwable failure) {
    scope.end();
    if (failure != null) {
      turn.reply().fail(CallboardRuntime.handlerFailed(self.path(), failure));
      done.accept(turns, new SliceEnd.Failed(failure));
      return false;
    }
    if (effectsFirst) {
      turn.leave(incarnation::effect);
    }
    turns.add(turn);
    bytes += turn.bytes();
    turn.outgoing().forEach(outgoing -> receivers.add(outgoing.receiver()));
    return true;
  }
}
