package io.callboard.store;

import org.jspecify.annotations.Nullable;

/** Failure of a store operation; its kind says what the caller should do. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of a failure. */
  public enum Kind {
    /** No connection, or it broke: nothing is known; try again. */
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

  public Kind kind() {
    return kind;
  }

  public static StoreException unavailable(String message, @Nullable Throwable cause) {
    return new StoreException(Kind.UNAVAILABLE, message, cause);
  }

  public static StoreException conflict(String message) {
    return new StoreException(Kind.CONFLICT, message, null);
  }

  public static StoreException nameTaken(String message) {
    return new StoreException(Kind.NAME_TAKEN, message, null);
  }

  public static StoreException corrupt(String message) {
    return new StoreException(Kind.CORRUPT, message, null);
  }

  public static StoreException corrupt(String message, Throwable cause) {
    return new StoreException(Kind.CORRUPT, message, cause);
  }

  public static StoreException wentBack(String message) {
    return new StoreException(Kind.WENT_BACK, message, null);
  }

  public static StoreException denied(String message, @Nullable Throwable cause) {
    return new StoreException(Kind.DENIED, message, cause);
  }

  /** Whether {@code cause} is a denial: a retry is useless before an operator has acted. */
  public static boolean isDenial(Throwable cause) {
    return cause instanceof StoreException failure && failure.kind() == Kind.DENIED;
  }

  public static StoreException closed() {
    return new StoreException(Kind.CLOSED, "the store is closed", null);
  }
}
