package io.callboard.jobs;

import io.callboard.Callboard;
import io.callboard.archive.CellArchive;
import io.callboard.archive.JobHistory;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.metric.Metric;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.PartSettings;
import io.callboard.part.PartTrouble;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Job scheduler as a part of a node.
 *
 * @param listsPause time for which lists do without the database after it did not answer
 */
record JobsPart(JobsOptions options, Duration listsPause) implements NodePart<Jobs> {
  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public Class<Jobs> type() {
    return Jobs.class;
  }

  @Override
  public List<PartNeed> needs() {
    return List.of(PartNeed.optional(CellArchive.class));
  }

  @Override
  public Map<String, String> settings() {
    return PartSettings.of(options);
  }

  @Override
  public Future<Jobs> start(RunningNode node) {
    Callboard callboard = node.callboard();
    Path data =
        node.directory()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "they need a data directory, for the files of their runs: set NodeOptions.directory"));
    RunHome home =
        new RunHome(data, node.homeId().orElseThrow(), callboard.bootId(), callboard.node());
    JobHistory history = node.find(CellArchive.class).map(CellArchive::jobs).orElse(null);
    return Jobs.start(callboard, home, options, history, listsPause);
  }

  /**
   * Returns the handlers of this node that the scheduler refused late, or has not known for long.
   */
  @Override
  public Future<List<PartTrouble>> troubles(Jobs jobs) {
    return Future.succeededFuture(jobs.troubles());
  }

  @Override
  public Future<List<Metric>> metrics(Jobs jobs) {
    return Future.succeededFuture(JobSeries.of(jobs.counts(), jobs.archive()));
  }

  /**
   * Closes the scheduler of the node; without a store, to which nothing can be reported, kills the
   * runs of this host.
   */
  @Override
  public Future<?> close(Jobs jobs, RunningNode node) {
    return node.isStoreLost() ? jobs.abandon() : jobs.close();
  }
}
