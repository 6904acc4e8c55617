package io.callboard.internal.messaging;

import io.callboard.Priority;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.ProtocolCodec;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** A volatile actor of this node as a receiver of messages. Thread-safe. */
public interface LocalActor {
  ActorPath path();

  /**
   * Puts a message into its mailbox; fails if that takes no more.
   *
   * @param item the message, or the {@link io.callboard.internal.mailbox.Delivery} of one with
   *     which something goes along
   */
  Future<Void> offer(Object item, Priority priority);

  /** Reads what is encoded for it; null while no life of it is up. */
  @Nullable ProtocolCodec<Object> codec();

  boolean isStopped();

  /** How it ended; null if it runs, or will again. */
  @Nullable Termination howEnded();

  /** Finds the volatile actors of this node. Thread-safe. */
  interface Finder {
    /** Null if no volatile actor of that path runs here. */
    @Nullable LocalActor find(ActorPath path);
  }
}
