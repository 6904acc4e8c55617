package io.callboard.turn;

import io.callboard.ActorRef;
import io.callboard.codecs.ActorPath;
import io.callboard.mailbox.Reply;
import org.jspecify.annotations.Nullable;

/**
 * The answer goes to an actor as a message. How it is sent is the answering actor's: a durable one
 * sends it with its turn.
 */
record ActorReply(ActorRef<?> actor, String address) implements Reply {
  private static final String DURABLE = "durable:";
  private static final String VOLATILE = "volatile:";

  static ActorReply to(ActorRef<?> actor) {
    return new ActorReply(actor, (actor.durable() ? DURABLE : VOLATILE) + actor.path());
  }

  /** The actor that {@code address} means; null if it means none. */
  static @Nullable ActorRef<?> actor(CallboardRuntime runtime, String address) {
    boolean durable = address.startsWith(DURABLE);
    if (!durable && !address.startsWith(VOLATILE)) {
      return null;
    }
    String path = address.substring((durable ? DURABLE : VOLATILE).length());
    try {
      return new Ref<>(runtime, ActorPath.of(path), durable, Object.class);
    } catch (IllegalArgumentException e) {
      return null; // what came from elsewhere is no path
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public void succeed(Object answer) {
    ((ActorRef<Object>) actor).tell(answer).onFailure(CallboardRuntime::reportedElsewhere);
  }

  /** The failure is its actor's: nobody waits for the answer. */
  @Override
  public void fail(Throwable cause) {}
}
