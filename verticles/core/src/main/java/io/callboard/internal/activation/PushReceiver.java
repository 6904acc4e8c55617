package io.callboard.internal.activation;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.link.FrameException;
import io.callboard.internal.link.IncomingMessage;
import io.callboard.internal.link.Push;
import io.callboard.supervision.Causes;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Receiver of the mail that other nodes push to actors of this node's partitions. */
public final class PushReceiver {
  /** Limit of the pushes waiting for the durable context; further ones are refused. */
  private static final int MOST_WAITING = 1_024;

  private final NodeContext node;
  private final MailActivator activator;
  private final AtomicInteger waiting = new AtomicInteger();

  public PushReceiver(NodeContext node, MailActivator activator) {
    this.node = node;
    this.activator = activator;
  }

  /**
   * Takes a push; on the router's context.
   *
   * @return why it is refused; null if it is taken
   */
  public @Nullable CallboardException arrived(IncomingMessage message, String boot) {
    Push.Received push;
    try {
      push = Push.Received.of(message, boot);
    } catch (FrameException e) {
      return new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e);
    }
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return new CallboardException(Code.UNAVAILABLE, "too many pushes wait at the receiving node");
    }
    node.onDurableContext(
        () -> {
          waiting.decrementAndGet();
          activator.pushed(push);
        });
    return null;
  }
}
