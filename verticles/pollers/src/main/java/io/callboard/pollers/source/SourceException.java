package io.callboard.pollers.source;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Failure of a source, with a message for people that names the source's system and what failed,
 * and perhaps with the time after which its system wants to be asked again.
 */
public class SourceException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Duration after;

  /** Creates a failure without a cause. */
  public SourceException(String message) {
    this(message, null);
  }

  /** Creates a failure with its cause. */
  public SourceException(String message, @Nullable Throwable cause) {
    this(message, cause, Duration.ZERO);
  }

  /**
   * Creates a failure after which the system is left alone for a while.
   *
   * @param after least time until it is asked again
   */
  public SourceException(String message, @Nullable Throwable cause, Duration after) {
    super(message, cause);
    this.after = after;
  }

  /** Returns the least time until the system is asked again; zero if it has named none. */
  public Duration after() {
    return after;
  }

  /**
   * Returns the least time until the system is asked again after any failure; zero if none is
   * named.
   */
  public static Duration after(Throwable failure) {
    return failure instanceof SourceException its ? its.after() : Duration.ZERO;
  }
}
