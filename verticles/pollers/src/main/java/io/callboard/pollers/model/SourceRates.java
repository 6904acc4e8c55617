package io.callboard.pollers.model;

/**
 * Messages of a source a second, in the last minute.
 *
 * @param taken deliveries taken
 * @param completed deliveries acknowledged
 * @param failed deliveries given back after a failure
 * @param dead messages set aside
 */
public record SourceRates(double taken, double completed, double failed, double dead) {
  /** All zero. */
  public static final SourceRates NONE = new SourceRates(0, 0, 0, 0);
}
