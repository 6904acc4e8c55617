package io.callboard.workflows.model;

import java.util.List;

/**
 * Workers and queues of the cell, as the desk knows them; and steps whose jobs are of a type that
 * no node has made, as the nodes of their instances know them.
 *
 * @param epoch epoch of the desk
 * @param awaits names of the nodes whose workers have not reported to this desk yet, so that it
 *     assigns nothing
 * @param workers the workers
 * @param queues the queues of workers, by definition and type; then those of jobs, the one that has
 *     waited longest first
 */
public record WorkView(
    long epoch, List<String> awaits, List<WorkerView> workers, List<QueueView> queues) {
  /** Copies the lists. */
  public WorkView {
    awaits = List.copyOf(awaits);
    workers = List.copyOf(workers);
    queues = List.copyOf(queues);
  }
}
