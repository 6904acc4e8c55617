package io.callboard.dashboard.internal.metrics;

import static io.callboard.dashboard.internal.metrics.PrometheusWriter.label;

import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import java.util.List;
import java.util.function.ToLongFunction;

/** Series of the sources that a node polls, or that take their requests there. Pure. */
final class SourceSeries {
  private final PrometheusWriter out;
  private final List<SourceView> sources;

  private SourceSeries(PrometheusWriter out, List<SourceView> sources) {
    this.out = out;
    this.sources = sources;
  }

  static void write(PrometheusWriter out, List<SourceView> sources) {
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
  }

  private void total(String what, String help, ToLongFunction<SourceTotals> value) {
    String name = "callboard_source_" + what + "_total";
    out.head(name, "counter", help);
    for (SourceView each : sources) {
      out.line(name, labels(each), value.applyAsLong(each.totals()));
    }
  }

  private void figures() {
    String inFlight = "callboard_source_in_flight";
    out.head(inFlight, "gauge", "Messages of a source that are taken and not acknowledged");
    for (SourceView each : sources) {
      out.line(inFlight, labels(each), each.inFlight());
    }
    String lag = "callboard_source_lag";
    out.head(lag, "gauge", "Messages that wait in a source, where it says so");
    for (SourceView each : sources) {
      Long waiting = each.lag();
      if (waiting != null) {
        out.line(lag, labels(each), waiting);
      }
    }
  }

  private void states() {
    String name = "callboard_source_status";
    out.head(name, "gauge", "1 for the present status of a source, 0 for the others");
    for (SourceView each : sources) {
      for (SourceStatus status : SourceStatus.values()) {
        String labels = labels(each) + "," + label("status", status.name());
        out.line(name, labels, each.status() == status ? 1 : 0);
      }
    }
  }

  private static String labels(SourceView source) {
    return label("source", source.name()) + "," + label("kind", source.kind());
  }
}
