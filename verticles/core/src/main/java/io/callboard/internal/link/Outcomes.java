package io.callboard.internal.link;

import io.callboard.CallboardException;

/** Listener for the outcomes of single messages. */
interface Outcomes {
  void accepted(OutgoingMessage outgoingMessage);

  void refused(OutgoingMessage outgoingMessage, CallboardException cause);
}
