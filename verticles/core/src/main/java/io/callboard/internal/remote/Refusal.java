package io.callboard.internal.remote;

import io.callboard.CallboardException.Code;

/** Why a question is refused, as a number of the event bus; new ones are added at the end. */
enum Refusal {
  UNKNOWN,
  BUSY,
  NO_SUCH_ACTOR,
  CONFLICT;

  static Refusal of(Code code) {
    return switch (code) {
      case NO_SUCH_ACTOR -> NO_SUCH_ACTOR;
      case CONFLICT -> CONFLICT;
      default -> BUSY;
    };
  }

  /** Returns the code of the failure that the asking node reports. */
  static Code code(int number) {
    return number == NO_SUCH_ACTOR.ordinal()
        ? Code.NO_SUCH_ACTOR
        : number == CONFLICT.ordinal() ? Code.CONFLICT : Code.UNAVAILABLE;
  }
}
