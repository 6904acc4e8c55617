package io.callboard.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Details of an actor with a circuit, as a guard has ({@link StatusDetails}): those whose circuit
 * is not closed are told to the other nodes of the cell.
 */
public interface CircuitDetails {
  /** Returns since when the circuit is not closed; null if it is. */
  @Nullable Instant openedAt();

  /** Returns whether one message is tried, or the next will be, to see whether it can be closed. */
  boolean halfOpen();

  /** Returns the failures in a row that opened it. */
  long failures();

  /** Returns the messages that are held meanwhile. */
  int held();
}
