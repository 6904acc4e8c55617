package io.callboard.internal.context;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reference to a part of a node that exists only once its store is open. Safe for use by many
 * threads.
 */
public final class OnceOpen<T> {
  private volatile @Nullable T part;

  /** Sets the part: the store is open. */
  public void opened(T opened) {
    part = opened;
  }

  /**
   * Returns the part.
   *
   * @throws IllegalStateException before the node is open
   */
  public T get() {
    T opened = part;
    if (opened == null) {
      throw new IllegalStateException(NodeContext.NOT_OPEN);
    }
    return opened;
  }

  /** Returns the part; empty before the node is open. */
  public Optional<T> ifOpen() {
    return Optional.ofNullable(part);
  }
}
