package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.store.StoreException;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sequencer of messages from outside of turns on their way to a commit. A message whose body must
 * be written to the blob log first holds back those behind it to the same receiver, so that none
 * overtakes it; bodies are written in parallel. Bounded: beyond its limits tells fail at once. Used
 * on the durable context.
 */
public final class TellSequencer {
  private static final Logger log = LoggerFactory.getLogger(TellSequencer.class);

  /** Limit of the bytes of large messages waiting to be written. */
  static final long MOST_BYTES = 128 << 20;

  /** Limit of the messages waiting behind large ones. */
  static final int MOST_MESSAGES = 10_000;

  private final Bodies bodies;
  private final Map<ActorPath, Deque<Place>> queues = new HashMap<>();
  private int waiting;
  private boolean closed;

  /** The blob log, as far as the sequencer needs it. */
  public interface Bodies {
    /** Returns the bytes of bodies that are not written yet. */
    long unwritten();

    /** Writes the body if it is large; see {@link BlobTransfers#write(ActorPath, Envelope)}. */
    Future<Envelope> write(ActorPath to, Envelope envelope);

    /** Forsakes the body of a message that will not be sent. */
    void forsake(ActorPath to, Envelope envelope);
  }

  private record Place(Promise<Envelope> turn, Future<Envelope> written) {}

  public TellSequencer(Bodies bodies) {
    this.bodies = bodies;
  }

  /**
   * Completes when it is the message's turn, on the durable context and, where possible, before
   * this method returns, so that a caller that submits it then keeps the order. Its body is in the
   * blob log by then, if it is large. Fails with {@link CallboardException}.
   */
  public Future<Envelope> pass(ActorPath to, Envelope envelope) {
    boolean large = Envelopes.isLarge(envelope);
    Deque<Place> queue = queues.get(to);
    if (!large && queue == null) {
      return Future.succeededFuture(envelope);
    } else if (closed) {
      return Future.failedFuture(CallboardException.stopped("this node"));
    } else if (waiting >= MOST_MESSAGES) {
      return tooMany("%d messages wait behind large ones".formatted(waiting));
    } else if (large && bodies.unwritten() + envelope.body().length > MOST_BYTES) {
      return tooMany("%d bytes of large messages wait".formatted(bodies.unwritten()));
    }
    Deque<Place> own = queue == null ? new ArrayDeque<>() : queue;
    Place place = new Place(Promise.promise(), bodies.write(to, envelope));
    own.addLast(place);
    queues.put(to, own);
    waiting++;
    place.written().onComplete(done -> goOn(to, own));
    return place.turn().future();
  }

  private static Future<Envelope> tooMany(String what) {
    return Future.failedFuture(
        new CallboardException(
            Code.UNAVAILABLE, what + " on this node to be stored: tell it again later"));
  }

  private void goOn(ActorPath to, Deque<Place> queue) {
    for (Place first = queue.peekFirst();
        first != null && first.written().isComplete();
        first = queue.peekFirst()) {
      queue.remove();
      waiting--;
      if (queue.isEmpty()) {
        queues.remove(to, queue);
      }
      pass(to, first);
    }
  }

  /**
   * Passes the first message of a queue on; an exception of its caller does not hold up those
   * behind it.
   */
  private void pass(ActorPath to, Place place) {
    try {
      if (place.written().failed()) {
        boolean unused = place.turn().tryFail(notStored(to, place.written().cause()));
      } else if (!place.turn().tryComplete(place.written().result())) {
        bodies.forsake(to, place.written().result());
      }
    } catch (RuntimeException | Error e) {
      log.error("a message to {} could not be passed on in its order", to, Causes.readable(e));
    }
  }

  private static CallboardException notStored(ActorPath to, Throwable cause) {
    Code code =
        cause instanceof StoreException failure && failure.kind() == StoreException.Kind.CLOSED
            ? Code.STOPPED
            : Code.UNAVAILABLE;
    String why = "the message to %s was not sent: %s".formatted(to, Causes.message(cause));
    return new CallboardException(code, why, cause);
  }

  /** Fails the messages that still wait. */
  public void close() {
    closed = true;
    for (Deque<Place> queue : queues.values()) {
      for (Place place : queue) {
        boolean unused = place.turn().tryFail(CallboardException.stopped("this node"));
      }
    }
  }
}
