package io.callboard.internal.metrics;

/**
 * Rate of events per second over the last minute, exponentially weighted. Written by one thread at
 * a time, read by any; a reading during a write may miss that event.
 */
public final class Rate {
  private static final double MINUTE_NANOS = 60e9;

  private volatile double weight;
  private volatile long atNanos;

  /**
   * @param nowNanos of a monotonic clock
   */
  public Rate(long nowNanos) {
    this.atNanos = nowNanos;
  }

  public void add(long events, long nowNanos) {
    weight = left(nowNanos) + events;
    atNanos = nowNanos;
  }

  private double left(long nowNanos) {
    return weight * Math.exp(-Math.max(0, nowNanos - atNanos) / MINUTE_NANOS);
  }

  public double perSecond(long nowNanos) {
    return left(nowNanos) / 60;
  }
}
