package io.callboard.internal.link;

/** What a message is. */
public enum MessageKind {
  /** For an actor; nobody waits for more than its acceptance. */
  TELL(0),
  /** For an actor, whose answer goes to the ask of that number at the sending node. */
  ASK(1),
  /** The answer to the ask of that number. */
  ANSWER(2),
  /** The failure of the ask of that number: its code is the type's name, its text the body. */
  FAILURE(3),
  /** New mail of a durable actor, for its owner; see {@link Push}. */
  PUSH(4);

  private static final MessageKind[] ALL = values();

  private final int wire;

  MessageKind(int wire) {
    this.wire = wire;
  }

  /** As it travels: its place in this class. */
  int wire() {
    return wire;
  }

  /** Whether it travels to wherever the actor is found. */
  boolean isForActor() {
    return this == TELL || this == ASK;
  }

  /** Whether it names an actor of the other node. */
  boolean hasReceiver() {
    return isForActor() || this == PUSH;
  }

  static MessageKind of(int wire) {
    if (wire >= ALL.length) {
      throw new FrameException("there is no kind of message " + wire);
    }
    return ALL[wire];
  }
}
