package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Reply that is sent as a message to an actor. The answering actor decides how: a durable one sends
 * it with its turn.
 */
public record ActorReply(ActorRef<?> actor, String address) implements Reply {
  static ActorReply to(MessageSender sender, ActorRef<?> actor) {
    return new ActorReply(ActorRefImpl.of(sender, actor), actor.address());
  }

  /** Returns the actor at {@code address}; null if the address is not an actor's. */
  public static @Nullable ActorRef<?> actor(MessageSender sender, String address) {
    try {
      return ActorRefImpl.of(sender, ActorRef.read(address));
    } catch (IllegalArgumentException e) {
      return null; // an ask, or what came from elsewhere is no path
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public void succeed(Object answer) {
    ((ActorRef<Object>) actor).tell(answer).onFailure(NodeContext::reportedElsewhere);
  }

  /** Ignores the failure, which belongs to the answering actor: no ask waits for it. */
  @Override
  public void fail(Throwable cause) {}
}
