package io.callboard.internal.link;

/** Kind of a message between nodes. */
public enum MessageKind {
  /** Message for an actor; only its acceptance is reported. */
  TELL(0),
  /** Message for an actor, whose answer goes to the ask of that number at the sending node. */
  ASK(1),
  /** Answer to the ask of that number. */
  ANSWER(2),
  /** Failure of the ask of that number: its code is the type's name, its text the body. */
  FAILURE(3),
  /** New mail of a durable actor, for its owner; see {@link Push}. */
  PUSH(4);

  private static final MessageKind[] ALL = values();

  private final int wire;

  MessageKind(int wire) {
    this.wire = wire;
  }

  /** Returns the number of the kind in a frame. */
  int wire() {
    return wire;
  }

  /** Returns whether a message of this kind goes to wherever the actor is located. */
  boolean isForActor() {
    return this == TELL || this == ASK;
  }

  /** Returns whether a message of this kind names an actor of the other node. */
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
