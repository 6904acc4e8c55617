package io.callboard.internal.context;

import io.callboard.store.StoreException;

/**
 * A life of a durable actor ended through no fault of the actor: the store could not be reached, or
 * what was read is not current any more. It is tried again, and does not count as a failure.
 */
public final class TransientFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final StoreException why;

  private TransientFailure(StoreException why) {
    super(why.getMessage(), why, false, false);
    this.why = why;
  }

  /** What the store refused to an actor's life: an interruption, or {@code cause} itself. */
  public static Throwable of(Throwable cause) {
    return cause instanceof StoreException failure
            && (failure.kind() == StoreException.Kind.UNAVAILABLE
                || failure.kind() == StoreException.Kind.CONFLICT)
        ? new TransientFailure(failure)
        : cause;
  }

  /** What is behind a failure. */
  public static Throwable why(Throwable cause) {
    return cause instanceof TransientFailure transientFailure ? transientFailure.why() : cause;
  }

  public StoreException why() {
    return why;
  }

  @Override
  public String toString() {
    return why.toString();
  }
}
