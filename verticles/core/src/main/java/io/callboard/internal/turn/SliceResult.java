package io.callboard.internal.turn;

/** How the handling of a slice of mail ended. */
public sealed interface SliceResult {
  /** All were handled, or the slice has become large enough. */
  record Paused() implements SliceResult {}

  /** The handler of the next one failed. */
  record Failed(Throwable cause) implements SliceResult {}

  /** The next one cannot be read. */
  record Unreadable(Throwable cause) implements SliceResult {}
}
