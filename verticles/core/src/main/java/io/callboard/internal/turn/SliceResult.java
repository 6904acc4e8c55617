package io.callboard.internal.turn;

/** Outcome of handling a slice of mail. */
public sealed interface SliceResult {
  /** All messages were handled, or the slice has become large enough. */
  record Paused() implements SliceResult {}

  /** The handler of the next message failed. */
  record Failed(Throwable cause) implements SliceResult {}

  /** The next message cannot be read. */
  record Unreadable(Throwable cause) implements SliceResult {}
}
