package io.callboard.internal.messaging;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.Append;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Durable actors of this node that may take a message without storing it first. Used on the durable
 * context.
 */
public interface BypassTarget {
  /**
   * Returns whether the receiver handles the message, which is in no mailbox; see {@link
   * io.callboard.internal.turn.MailboxBypass}.
   *
   * @param room whether the node has room for it
   */
  boolean handles(Append message, boolean room);

  /**
   * Starts the receiver if it is hosted here and does not run yet, so that it may handle the
   * message without a mailbox.
   *
   * @return completes on the durable context when its first start has ended, however; empty if none
   *     is under way
   */
  default Optional<Future<Void>> starts(ActorPath receiver) {
    return Optional.empty();
  }
}
