package io.callboard.internal.messaging;

import io.callboard.ActorRef;
import io.callboard.TellOptions;
import io.callboard.codecs.TraceContext;
import org.jspecify.annotations.Nullable;

/** The actor on whose context code sends: what belongs to its open turn goes with that. */
public interface SendingActor {
  /** The sender of its node. */
  MessageSender sender();

  ActorRef<?> self();

  /** Whether the call that is being made belongs to a turn that collects what is sent. */
  boolean sendsWithTurn();

  /** Sends with the open turn. */
  void tell(ActorRef<?> to, Object message, TellOptions options);

  /** The same options with the trace of the open turn, unless they have one. */
  TellOptions traced(TellOptions options);

  /** Null if the open turn is a part of no trace. */
  @Nullable TraceContext traceOfTurn();

  /** The actor asks somebody. */
  void asks(PendingAsks.Ask<?> ask);

  /** What Vert.x knows as the deployment of an actor. */
  interface Deployed {
    SendingActor scope();
  }
}
