package io.callboard.internal.link;

/** Failure to read a frame, with the reason in its message. Reading throws no other exception. */
public final class FrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FrameException(String message) {
    super(message, null, false, false);
  }
}
