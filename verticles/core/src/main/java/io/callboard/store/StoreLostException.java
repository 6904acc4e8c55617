package io.callboard.store;

import io.callboard.supervision.Causes;

/**
 * End of a node because the store no longer serves it: it has left its cell and closes. The cause
 * says why: stored data of the node cannot be read or is denied to it, another process has its
 * name, or the store was restored from an older copy.
 */
public final class StoreLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the end of a node.
   *
   * @param node its name
   * @param cause the reason for which the store no longer serves it
   */
  public StoreLostException(String node, Throwable cause) {
    super(
        "node %s can no longer commit and has left the cell: %s"
            .formatted(node, Causes.message(cause)),
        cause);
  }
}
