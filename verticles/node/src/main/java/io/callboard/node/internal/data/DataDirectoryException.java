package io.callboard.node.internal.data;

/** Refusal of a data directory; the message says in one line what is wrong with it. */
public final class DataDirectoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isUnusable;

  private DataDirectoryException(String message, boolean isUnusable) {
    super(message);
    this.isUnusable = isUnusable;
  }

  /** The directory cannot be used by this process: it must take another one. */
  static DataDirectoryException unusable(String message) {
    return new DataDirectoryException(message, true);
  }

  /** The content of the directory is in the way; the message says what to do about it. */
  static DataDirectoryException content(String message) {
    return new DataDirectoryException(message, false);
  }

  /** Whether the remedy is to choose another directory; the message does not say so. */
  public boolean isUnusable() {
    return isUnusable;
  }
}
