package io.callboard.jobs;

import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.jobs.model.JobCounts;
import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Series of the job scheduler, as a node sees it. */
final class JobSeries {
  private JobSeries() {}

  static List<Metric> of(JobCounts jobs, Optional<ArchiveStatus> archive) {
    Metrics out = new Metrics();
    out.counter("callboard_jobs_ended_total", "Jobs seen to end", jobs.ended());
    Metrics.Series byType = out.gauges("callboard_jobs", "Jobs by type and state");
    new TreeMap<>(jobs.byType())
        .forEach(
            (type, states) ->
                new TreeMap<>(states)
                    .forEach(
                        (state, count) ->
                            byType.add(count, "type", type, "state", String.valueOf(state))));
    archive.ifPresent(status -> archive(out, status));
    return out.all();
  }

  private static void archive(Metrics out, ArchiveStatus archive) {
    Integer waiting = archive.waiting();
    if (waiting != null) {
      out.gauge(
          "callboard_jobs_to_archive",
          "Ended jobs that are to be written to the archive's database",
          waiting);
    }
    out.gauge(
        "callboard_jobs_archive_away",
        "Whether ended jobs cannot be archived now",
        archive.awaySince() == null ? 0 : 1);
  }
}
