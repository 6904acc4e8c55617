package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.mailbox.Reply;

/**
 * Reply that is sent as a message to an actor. The answering actor decides how: a durable one sends
 * it with its turn.
 */
public record ActorReply(ActorRef<?> actor, String address) implements Reply {
  @Override
  @SuppressWarnings("unchecked")
  public void succeed(Object answer) {
    ((ActorRef<Object>) actor).tell(answer).onFailure(NodeContext::reportedElsewhere);
  }

  /** Ignores the failure, which belongs to the answering actor: no ask waits for it. */
  @Override
  public void fail(Throwable cause) {}
}
