package io.callboard.internal.context;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A part of a node that exists only once its store is open. Safe for use by many threads. */
public final class OnceOpen<T> {
  private volatile @Nullable T part;

  /** The store is open, and {@code part} works on it. */
  public void opened(T opened) {
    part = opened;
  }

  /**
   * @throws IllegalStateException before the node is open
   */
  public T get() {
    T opened = part;
    if (opened == null) {
      throw new IllegalStateException(NodeContext.NOT_OPEN);
    }
    return opened;
  }

  /** Empty before the node is open. */
  public Optional<T> ifOpen() {
    return Optional.ofNullable(part);
  }
}
