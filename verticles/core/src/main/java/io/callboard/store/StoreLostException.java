package io.callboard.store;

/**
 * The store serves a node no more, so that the node has left its cell and closes. The cause says
 * why: what is stored of the node cannot be read or is denied to it, another process has its name,
 * or the store went back to an older copy.
 */
public final class StoreLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreLostException(String node, Throwable cause) {
    super(
        "node %s can commit nothing any more and left the cell: %s"
            .formatted(node, cause.getMessage() == null ? cause : cause.getMessage()),
        cause);
  }
}
