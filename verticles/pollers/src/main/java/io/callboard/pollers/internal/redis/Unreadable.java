package io.callboard.pollers.internal.redis;

/** Failure to make a message of an element or entry, with its cause for people. */
final class Unreadable extends Exception {
  private static final long serialVersionUID = 1;

  Unreadable(String cause) {
    super(cause);
  }

  /** Returns the cause, for people. */
  String text() {
    return String.valueOf(getMessage());
  }
}
