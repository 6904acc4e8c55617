package io.callboard.link;

/** What a message is; its ordinal travels, so new ones are added at the end. */
public enum Kind {
  /** For an actor; nobody waits for more than its acceptance. */
  TELL,
  /** For an actor, whose answer goes to the ask of that number at the sending node. */
  ASK,
  /** The answer to the ask of that number. */
  ANSWER,
  /** The failure of the ask of that number: its code is the type's name, its text the body. */
  FAILURE;

  private static final Kind[] ALL = values();

  boolean isForActor() {
    return this == TELL || this == ASK;
  }

  static Kind of(int ordinal) {
    if (ordinal >= ALL.length) {
      throw new FrameException("there is no kind of message " + ordinal);
    }
    return ALL[ordinal];
  }
}
