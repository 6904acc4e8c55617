/**
 * Metrics of a node in the text format of Prometheus, served at {@code /metrics}.
 *
 * <p>{@link io.callboard.dashboard.internal.metrics.PrometheusPage} is the whole text; each class
 * of series writes one subject of it. All are pure: what they write was read before.
 *
 * <p><b>Invariants.</b> The number of series is bounded: of mailboxes, guards and failure zones
 * only the first ones have series of their own, the others are summed or counted. Each series is in
 * {@code bootstrap/docs/reference/metrics.md}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
