package io.callboard.internal.link;

import io.callboard.CallboardException;

/** Takes the machines' decisions about single messages. */
interface Outcomes {
  void accepted(OutgoingMessage outgoingMessage);

  void refused(OutgoingMessage outgoingMessage, CallboardException cause);
}
