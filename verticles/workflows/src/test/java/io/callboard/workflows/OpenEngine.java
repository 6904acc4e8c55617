package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.archive.internal.ended.EndedReader;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.workflows.model.WorkflowsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Jobs and workflows of one node, for a test; the files of its jobs are below {@code target}. */
record OpenEngine(Jobs jobs, Workflows workflows) implements AutoCloseable {
  private static final int SLOTS = 4;
  private static final int QUEUE_LIMIT = 50;

  /** Opens them on a node, whose grid it starts. */
  static OpenEngine on(Callboard callboard) throws IOException {
    return on(callboard, SLOTS, QUEUE_LIMIT);
  }

  /**
   * Opens them on a node, whose grid it starts.
   *
   * @param slots of jobs
   * @param queueLimit of jobs
   */
  static OpenEngine on(Callboard callboard, int slots, int queueLimit) throws IOException {
    Grid grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    return on(callboard, grid, slots, queueLimit, WorkflowsOptions.DEFAULT);
  }

  /** Opens them on a node, whose grid it starts. */
  static OpenEngine on(Callboard callboard, WorkflowsOptions options) throws IOException {
    return on(callboard, await(Grid.start(callboard, GridOptions.DEFAULT)), options);
  }

  /** Opens them on a node whose grid has started. */
  static OpenEngine on(Callboard callboard, Grid grid, WorkflowsOptions options)
      throws IOException {
    return on(callboard, grid, SLOTS, QUEUE_LIMIT, options);
  }

  private static OpenEngine on(
      Callboard callboard, Grid grid, int slots, int queueLimit, WorkflowsOptions options)
      throws IOException {
    String home = UUID.randomUUID().toString();
    Path data = Files.createDirectories(Path.of("target", "engines", home));
    Jobs jobs =
        await(
            StartedParts.of(callboard, data, home)
                .start(Jobs.part(JobsOptions.DEFAULT.slots(slots).queueLimit(queueLimit))));
    return new OpenEngine(
        jobs, await(Workflows.start(callboard, grid, jobs, options, null, EndedReader.PAUSE)));
  }

  @Override
  public void close() {
    await(workflows.close());
    await(jobs.close());
  }
}
