package io.callboard.workflows.model;

import java.util.List;

/**
 * Workers and queues of the cell, as the desk knows them.
 *
 * @param epoch epoch of the desk
 * @param awaits names of the nodes whose workers have not reported to this desk yet, so that it
 *     assigns nothing
 * @param workers the workers
 * @param queues the queues, by definition and type
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
