package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.Priority;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Volatile actor of this node as a receiver of messages. Thread-safe. */
public interface LocalActor {
  ActorPath path();

  /**
   * Puts a message into the mailbox; fails if the mailbox takes no more.
   *
   * @param item the message, or its {@link io.callboard.internal.mailbox.Delivery} if it has a
   *     reply, deadline, ticket or trace
   */
  Future<Void> offer(Object item, Priority priority);

  /**
   * Returns the refusal of a message that is not of the actor's protocol: it is its sender's
   * mistake, and not to be put into the mailbox. Null if the actor takes it, or has not been
   * started yet, so that its adapters are not known.
   */
  @Nullable CallboardException refusal(Object message);

  /** Returns the codec of the actor's protocol; null while no life of the actor runs. */
  @Nullable ProtocolCodec<Object> codec();

  boolean isStopped();

  /** Returns the end of the actor; null if it runs, or will run again. */
  @Nullable Termination howEnded();

  /** Port that finds the volatile actors of this node. Thread-safe. */
  interface Finder {
    /** Returns the volatile actor at {@code path}; null if none runs here. */
    @Nullable LocalActor find(ActorPath path);
  }
}
