package io.callboard.pollers.source;

import org.jspecify.annotations.Nullable;

/**
 * Failure of a source, with a message for people that names the source's system and what failed.
 */
public class SourceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates a failure without a cause. */
  public SourceException(String message) {
    this(message, null);
  }

  /** Creates a failure with its cause. */
  public SourceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
