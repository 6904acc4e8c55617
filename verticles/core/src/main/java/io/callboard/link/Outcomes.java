package io.callboard.link;

import io.callboard.CallboardException;

/** Takes the machines' decisions about single messages. */
interface Outcomes {
  void accepted(Parcel parcel);

  void refused(Parcel parcel, CallboardException cause);
}
