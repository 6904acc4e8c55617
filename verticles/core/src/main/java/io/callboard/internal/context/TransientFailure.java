package io.callboard.internal.context;

import io.callboard.store.StoreException;
import io.callboard.supervision.Causes;

/**
 * Failure that ends a life of a durable actor through no fault of the actor: the store was
 * unavailable, or the data read was stale. The life is tried again, and the failure does not count.
 */
public final class TransientFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final StoreException why;

  private TransientFailure(StoreException why) {
    super(Causes.message(why), why, false, false);
    this.why = why;
  }

  /** Wraps a {@code StoreException} that is transient; returns any other {@code cause} as it is. */
  public static Throwable of(Throwable cause) {
    return cause instanceof StoreException failure
            && (failure.kind() == StoreException.Kind.UNAVAILABLE
                || failure.kind() == StoreException.Kind.CONFLICT)
        ? new TransientFailure(failure)
        : cause;
  }

  /** Returns the store's exception behind a transient failure; any other {@code cause} as it is. */
  public static Throwable why(Throwable cause) {
    return cause instanceof TransientFailure transientFailure ? transientFailure.why() : cause;
  }

  public StoreException why() {
    return why;
  }

  @Override
  public String toString() {
    return Causes.text(why);
  }
}
