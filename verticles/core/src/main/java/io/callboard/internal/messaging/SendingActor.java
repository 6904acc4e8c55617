package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.codecs.TraceContext;
import org.jspecify.annotations.Nullable;

/** Actor on whose context code sends; messages of its open turn are sent with that turn. */
public interface SendingActor {
  /** Returns the sender of the actor's node. */
  MessageSender sender();

  ActorRef<?> self();

  /** Returns whether the present call belongs to a turn that collects outgoing messages. */
  boolean sendsWithTurn();

  /** Sends with the open turn. */
  void tell(ActorRef<?> to, Object message, TellOptions options);

  /** Returns {@code options} with the trace of the open turn, unless they have one. */
  TellOptions traced(TellOptions options);

  /** Returns the trace of the open turn; null if it has none. */
  @Nullable TraceContext traceOfTurn();

  /** Records an ask made by the actor. */
  void asks(PendingAsks.Ask<?> ask);

  /** Vert.x deployment of an actor. */
  interface Deployed {
    SendingActor scope();
  }
}
