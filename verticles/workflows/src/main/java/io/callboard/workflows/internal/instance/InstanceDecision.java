package io.callboard.workflows.internal.instance;

import io.callboard.workflows.internal.protocol.InstanceEvent;
import java.util.List;

/**
 * Decision that follows from what happened to an instance.
 *
 * @param events events to persist, in order; empty for nothing
 * @param starts runs to request once the events are durable
 * @param aborts runs to cancel once the events are durable
 * @param closed runs that are open no more
 * @param more whether there is more to decide, in another turn
 */
public record InstanceDecision(
    List<InstanceEvent> events,
    List<OpenRun> starts,
    List<OpenRun> aborts,
    List<OpenRun> closed,
    boolean more) {
  /** Copies the lists. */
  public InstanceDecision {
    events = List.copyOf(events);
    starts = List.copyOf(starts);
    aborts = List.copyOf(aborts);
    closed = List.copyOf(closed);
  }
}
