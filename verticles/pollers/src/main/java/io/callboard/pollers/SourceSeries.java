package io.callboard.pollers;

import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import java.util.List;
import java.util.function.ToLongFunction;

/** Series of the sources that this node polls, or whose requests it takes. */
final class SourceSeries {
  private final Metrics out;
  private final List<SourceView> sources;

  private SourceSeries(Metrics out, List<SourceView> sources) {
    this.out = out;
    this.sources = sources;
  }

  static List<Metric> of(List<SourceView> sources) {
    Metrics out = new Metrics();
    SourceSeries series = new SourceSeries(out, sources);
    series.total("taken", "Deliveries that a source took", SourceTotals::taken);
    series.total("completed", "Deliveries acknowledged to a source", SourceTotals::completed);
    series.total("failed", "Deliveries given back after a failure", SourceTotals::failed);
    series.total("dead", "Messages of a source that were set aside", SourceTotals::dead);
    series.total("released", "Deliveries given back without a failure", SourceTotals::released);
    series.total("lost", "Deliveries whose lease was over", SourceTotals::lost);
    series.total("emitted", "Messages sent through a source", SourceTotals::emitted);
    series.figures();
    series.states();
    return out.all();
  }

  private void total(String what, String help, ToLongFunction<SourceTotals> value) {
    Metrics.Series series = out.counters("callboard_source_" + what + "_total", help);
    for (SourceView each : sources) {
      series.add(value.applyAsLong(each.totals()), "source", each.name(), "kind", each.kind());
    }
  }

  private void figures() {
    Metrics.Series inFlight =
        out.gauges(
            "callboard_source_in_flight",
            "Messages of a source that are taken and not acknowledged");
    Metrics.Series lag =
        out.gauges("callboard_source_lag", "Messages that wait in a source, where it says so");
    for (SourceView each : sources) {
      inFlight.add(each.inFlight(), "source", each.name(), "kind", each.kind());
      Long waiting = each.lag();
      if (waiting != null) {
        lag.add(waiting, "source", each.name(), "kind", each.kind());
      }
    }
  }

  private void states() {
    Metrics.Series series =
        out.gauges(
            "callboard_source_status", "1 for the present status of a source, 0 for the others");
    for (SourceView each : sources) {
      for (SourceStatus status : SourceStatus.values()) {
        series.add(
            each.status() == status ? 1 : 0,
            "source",
            each.name(),
            "kind",
            each.kind(),
            "status",
            status.name());
      }
    }
  }
}
