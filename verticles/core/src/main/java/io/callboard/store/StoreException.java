package io.callboard.store;

import io.callboard.codecs.CodecException;
import org.jspecify.annotations.Nullable;

/** Failure of a store operation; its kind says what the caller should do. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of a failure. */
  public enum Kind {
    /** The connection is missing or broke: the outcome is unknown; try again. */
    UNAVAILABLE,
    /** A concurrent change came first: read again. */
    CONFLICT,
    /** A live node has the same name: choose another. */
    NAME_TAKEN,
    /** Stored data cannot be read: an operator must act. */
    CORRUPT,
    /**
     * The store lost acknowledged data, because it was restored from a copy: terminal for this
     * node.
     */
    WENT_BACK,
    /** Refused by the store's access control: terminal. */
    DENIED,
    /** The store was closed. */
    CLOSED
  }

  private final Kind kind;

  private StoreException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of the failure. */
  public Kind kind() {
    return kind;
  }

  /** Returns a failure of the kind {@code UNAVAILABLE}. */
  public static StoreException unavailable(String message, @Nullable Throwable cause) {
    return new StoreException(Kind.UNAVAILABLE, message, cause);
  }

  /** Returns a failure of the kind {@code CONFLICT}. */
  public static StoreException conflict(String message) {
    return new StoreException(Kind.CONFLICT, message, null);
  }

  /** Returns a failure of the kind {@code NAME_TAKEN}. */
  public static StoreException nameTaken(String message) {
    return new StoreException(Kind.NAME_TAKEN, message, null);
  }

  /** Returns a failure of the kind {@code CORRUPT}. */
  public static StoreException corrupt(String message) {
    return new StoreException(Kind.CORRUPT, message, null);
  }

  /** Returns a failure of the kind {@code CORRUPT} with the failure to read the data. */
  public static StoreException corrupt(String message, Throwable cause) {
    return new StoreException(Kind.CORRUPT, message, cause);
  }

  /** Returns a failure of the kind {@code WENT_BACK}. */
  public static StoreException wentBack(String message) {
    return new StoreException(Kind.WENT_BACK, message, null);
  }

  /** Returns a failure of the kind {@code DENIED}. */
  public static StoreException denied(String message, @Nullable Throwable cause) {
    return new StoreException(Kind.DENIED, message, cause);
  }

  /** Returns whether {@code cause} is a denial: a retry is useless before an operator has acted. */
  public static boolean isDenial(Throwable cause) {
    return cause instanceof StoreException failure && failure.kind() == Kind.DENIED;
  }

  /**
   * Returns whether {@code cause} says that one thing that is stored cannot be read: an operator
   * must act, and everything else goes on.
   */
  public static boolean isDamage(Throwable cause) {
    return cause instanceof CodecException
        || (cause instanceof StoreException failure && failure.kind() == Kind.CORRUPT);
  }

  /** Returns the failure of an operation on a closed store. */
  public static StoreException closed() {
    return new StoreException(Kind.CLOSED, "the store is closed", null);
  }
}
