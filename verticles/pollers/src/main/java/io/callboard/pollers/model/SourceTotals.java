package io.callboard.pollers.model;

/**
 * Numbers of messages of a source.
 *
 * @param taken deliveries that it took
 * @param completed deliveries that it acknowledged
 * @param failed deliveries that it gave back after a failure
 * @param dead messages that it set aside
 * @param released deliveries that it gave back without a failure
 * @param lost deliveries whose lease was over, or whose connection broke
 * @param emitted messages that it sent
 */
public record SourceTotals(
    long taken, long completed, long failed, long dead, long released, long lost, long emitted) {
  /** All zero. */
  public static final SourceTotals NONE = new SourceTotals(0, 0, 0, 0, 0, 0, 0);

  /** Returns the sums. */
  public SourceTotals plus(SourceTotals more) {
    return new SourceTotals(
        taken + more.taken,
        completed + more.completed,
        failed + more.failed,
        dead + more.dead,
        released + more.released,
        lost + more.lost,
        emitted + more.emitted);
  }

  /** Returns the differences. */
  public SourceTotals minus(SourceTotals less) {
    return new SourceTotals(
        taken - less.taken,
        completed - less.completed,
        failed - less.failed,
        dead - less.dead,
        released - less.released,
        lost - less.lost,
        emitted - less.emitted);
  }
}
