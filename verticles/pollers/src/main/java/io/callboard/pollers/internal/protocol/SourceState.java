package io.callboard.pollers.internal.protocol;

import io.callboard.pollers.model.SourceMode;
import io.callboard.pollers.model.SourceTotals;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of a source.
 *
 * @param mode what operators want of it
 * @param by who wanted that; null for nobody yet
 * @param at when, later than the change before; null for never
 * @param totals numbers of its messages, a minute behind at most
 */
public record SourceState(
    SourceMode mode, @Nullable String by, @Nullable Instant at, SourceTotals totals) {
  /** State of a new source. */
  public static final SourceState NEW =
      new SourceState(SourceMode.RUN, null, null, SourceTotals.NONE);

  /** Returns the state after an event. */
  public SourceState after(SourceEvent event) {
    if (event instanceof SourceEvent.ModeChanged changed) {
      return new SourceState(changed.mode(), changed.by(), changed.at(), totals);
    }
    return new SourceState(mode, by, at, totals.plus(((SourceEvent.Counted) event).more()));
  }
}
