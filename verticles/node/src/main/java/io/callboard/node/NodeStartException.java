package io.callboard.node;

import org.jspecify.annotations.Nullable;

/** Failure of a node's start; its message is one line that says what is wrong and what to do. */
public final class NodeStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of a failed start. */
  public enum Reason {
    /** The data directory cannot be used by this process. */
    DIRECTORY,
    /** The content of the data directory is damaged, newer, or a copy of one in use. */
    DIRECTORY_CONTENT,
    /** The store of the embedded ZooKeeper has lost acknowledged transactions. */
    STORE_BEHIND,
    /** The store of the embedded ZooKeeper cannot be read. */
    STORE_DAMAGED,
    /**
     * The embedded ZooKeeper cannot be started otherwise, for example because its port is in use.
     */
    EMBEDDED_ZOOKEEPER,
    /** ZooKeeper does not answer, or denies access, or the cell in it cannot be read. */
    ZOOKEEPER,
    /** The event bus cannot listen on its address. */
    EVENT_BUS,
    /** A live node of the cell has the same name. */
    NAME_TAKEN,
    /** A part of the application or of the toolkit could not start, see the cause. */
    PART,
    /** Something else, see the cause. */
    OTHER
  }

  private final Reason reason;
  private final String problem;

  NodeStartException(Reason reason, String problem, String remedy, @Nullable Throwable cause) {
    super(remedy.isEmpty() ? problem : problem + "; " + remedy, cause);
    this.reason = reason;
    this.problem = problem;
  }

  public Reason reason() {
    return reason;
  }

  /**
   * Returns what is wrong, without what to do: for programs that have options of their own to name.
   */
  public String problem() {
    return problem;
  }
}
