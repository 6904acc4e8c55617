package io.callboard.examples.dangerous;

import java.util.Locale;

/**
 * Result of the demonstration.
 *
 * @param sent number of prices and orders
 * @param byService number of them answered by the service
 * @param byFallback number of prices answered by the fallback
 * @param lost number of requests without an answer
 * @param whileWell requests a second that arrived at the service while it was well
 * @param whileNot requests a second that arrived at it while it was not
 * @param inOrder whether the service has all orders, in order
 * @param repeated orders that came to it more than once
 */
record Verdict(
    long sent,
    long byService,
    long byFallback,
    long lost,
    double whileWell,
    double whileNot,
    boolean inOrder,
    long repeated) {

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d sent, %d answered by the service, %d by the fallback, %d lost; orders %s, %d of them put twice; the service"
            + " saw %.1f requests a second while it was well, %.1f while it was not (%.1f %%)",
        sent,
        byService,
        byFallback,
        lost,
        inOrder ? "in order" : "OUT OF ORDER",
        repeated,
        whileWell,
        whileNot,
        100 * whileNot / whileWell);
  }
}
