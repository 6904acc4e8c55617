package io.callboard.internal.link;

/** A frame that cannot be read; the message says why. The only thing reading one throws. */
public final class FrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FrameException(String message) {
    super(message, null, false, false);
  }
}
