package io.callboard.turn;

/** How the handling of a slice of mail ended. */
sealed interface SliceEnd {
  /** All were handled, or the slice has become large enough. */
  record Paused() implements SliceEnd {}

  /** The handler of the next one failed. */
  record Failed(Throwable cause) implements SliceEnd {}

  /** The next one cannot be read. */
  record Unreadable(Throwable cause) implements SliceEnd {}
}
