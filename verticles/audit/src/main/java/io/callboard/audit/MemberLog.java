package io.callboard.audit;

import java.io.IOException;

/** Transaction log of one member of an ensemble, oldest first. */
interface MemberLog {
  /** Returns whether there is another transaction. */
  boolean has();

  /** Returns the zxid of the next transaction. */
  long zxid();

  /**
   * Removes and returns the next transaction.
   *
   * @return the next one; then it is the turn of the one behind it
   */
  Transaction take() throws IOException;
}
