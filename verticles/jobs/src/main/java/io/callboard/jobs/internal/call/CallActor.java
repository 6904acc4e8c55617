package io.callboard.jobs.internal.call;

import io.callboard.Actor;
import io.callboard.Protocol;

/**
 * Call of a handler on a thread of its zone. Volatile, of one message; its turn ends when the code
 * has returned, whatever that has to wait for still.
 */
final class CallActor extends Actor<CallActor.Begin> {
  private final Runnable call;

  /** Message to begin. */
  record Begin() {}

  /**
   * Creates the actor of a call.
   *
   * @param call calls the code; must not throw
   */
  CallActor(Runnable call) {
    this.call = call;
  }

  @Override
  protected void protocol(Protocol<Begin> on) {
    on.message(Begin.class, begin -> call.run());
  }
}
