package io.callboard.audit;

import java.io.IOException;

/** What one member of an ensemble has written, oldest first. */
interface MemberLog {
  /** Whether there is a next one. */
  boolean has();

  /** Of the next one. */
  long zxid();

  /**
   * @return the next one; then it is the turn of the one behind it
   */
  Transaction take() throws IOException;
}
