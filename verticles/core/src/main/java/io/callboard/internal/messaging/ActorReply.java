package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Reply;
import org.jspecify.annotations.Nullable;

/**
 * The answer goes to an actor as a message. How it is sent is the answering actor's: a durable one
 * sends it with its turn.
 */
public record ActorReply(ActorRef<?> actor, String address) implements Reply {
  static ActorReply to(MessageSender sender, ActorRef<?> actor) {
    return new ActorReply(NodeRef.of(sender, actor), actor.address());
  }

  /** The actor that {@code address} means; null if it means none. */
  public static @Nullable ActorRef<?> actor(MessageSender sender, String address) {
    try {
      return NodeRef.of(sender, ActorRef.read(address));
    } catch (IllegalArgumentException e) {
      return null; // an ask, or what came from elsewhere is no path
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public void succeed(Object answer) {
    ((ActorRef<Object>) actor).tell(answer).onFailure(NodeContext::reportedElsewhere);
  }

  /** The failure is its actor's: nobody waits for the answer. */
  @Override
  public void fail(Throwable cause) {}
}
