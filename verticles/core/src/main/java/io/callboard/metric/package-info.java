/**
 * Metrics of a node in a form of their own: {@link io.callboard.metric.Metrics} collects them, a
 * part offers its own by {@link io.callboard.part.NodePart#metrics}, and the page writes them in
 * the text format of Prometheus at {@code /metrics}. An exporter of another format reads the same.
 *
 * <p><b>Invariants.</b> The number of series is bounded: of mailboxes and failure zones only the
 * first ones have series of their own, the others are summed or counted. Each series of Callboard
 * is in {@code bootstrap/docs/reference/metrics.md}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.metric;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
