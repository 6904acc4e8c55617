/**
 * Metrics of a node, served in the text format of Prometheus at {@code /metrics}.
 *
 * <p>{@link io.callboard.dashboard.internal.metrics.MetricsReader} reads them from the node, the
 * grid, the guards and the parts, which have their own series; {@link
 * io.callboard.dashboard.internal.metrics.PrometheusPage} writes them. An exporter of another
 * format reads the same.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
