package io.callboard.pollers.internal.protocol;

import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceTotals;
import java.time.Instant;

/** Events of a source. */
public sealed interface SourceEvent {
  /**
   * Operators have changed the mode.
   *
   * @param mode what
   * @param by who, for people
   * @param at when
   */
  record ModeChanged(SourceMode mode, String by, Instant at) implements SourceEvent {}

  /**
   * Its poller has counted.
   *
   * @param more numbers since the last event of this kind
   */
  record Counted(SourceTotals more) implements SourceEvent {}
}
