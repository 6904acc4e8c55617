package io.callboard.dashboard.internal.metrics;

import io.callboard.Callboard;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.MailSurvey;
import io.callboard.dashboard.internal.attention.CachedReading;
import io.callboard.dashboard.internal.attention.Reading;
import io.callboard.grid.Grid;
import io.callboard.guard.GuardSeries;
import io.callboard.metric.Metric;
import io.callboard.metric.NodeSeries;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all metrics of a node: its own, those of the grid, of guards and of its parts. A part that
 * fails, is late or has too many hides no other; it is counted. Thread-safe.
 */
public final class MetricsReader {
  /** Maximum number of the actors that report details which are looked at for guards. */
  public static final int MOST_REPORTING = 1_000;

  /** Time limit of a part; a node that does not answer about its sources takes 3 s of it. */
  private static final int PART_WITHIN_SECONDS = 4;

  private static final Logger log = LoggerFactory.getLogger(MetricsReader.class);

  private final Callboard callboard;
  private final Grid grid;
  private final RunningNode parts;
  private final Clock clock;
  private final CachedReading<MailSurvey> mail;

  /** Parts whose metrics could not be read the last time, so that each failure is logged once. */
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  /** Creates the reader of a node with some parts. */
  public MetricsReader(Callboard callboard, Grid grid, RunningNode parts, Clock clock) {
    this.callboard = callboard;
    this.grid = grid;
    this.parts = parts;
    this.clock = clock;
    this.mail = new CachedReading<>(Duration.ZERO, clock, () -> callboard.admin().mail());
  }

  /**
   * Completes with the metrics, from what is counted as it changes, and from the survey of
   * mailboxes that all readers share; from the last one, whose age is a metric, if the present one
   * takes long.
   */
  public Future<List<Metric>> read() {
    Future<Reading<MailSurvey>> survey = mail.read();
    Map<String, Future<Optional<List<Metric>>>> ofParts = new LinkedHashMap<>();
    parts.parts().forEach(part -> ofParts.put(part, read(part)));
    return Future.all(survey, Future.all(List.copyOf(ofParts.values())))
        .map(
            all -> {
              CallboardAdmin admin = callboard.admin();
              Instant now = clock.instant();
              MetricsMerge merge = new MetricsMerge();
              merge.add(NodeSeries.of(admin, Optional.ofNullable(survey.result().value()), now));
              merge.add(grid.metrics());
              merge.add(GuardSeries.of(admin.reporting(MOST_REPORTING), now));
              ofParts.forEach((part, its) -> merge.add(part, its.result()));
              return merge.all();
            });
  }

  /** Completes with the metrics of a part; empty if it fails or takes long. */
  private Future<Optional<List<Metric>>> read(String part) {
    return Future.succeededFuture()
        .compose(v -> parts.metrics(part))
        .timeout(PART_WITHIN_SECONDS, TimeUnit.SECONDS)
        .map(
            its -> {
              List<Metric> all = List.copyOf(its);
              failed.remove(part);
              return Optional.of(all);
            })
        .otherwise(
            cause -> {
              if (failed.add(part)) {
                log.warn("the metrics of part {} cannot be read", part, cause);
              }
              return Optional.empty();
            });
  }
}
