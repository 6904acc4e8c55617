package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * Durable state of the backlog of a type.
 *
 * @param runs kept runs by job
 * @param seen number of runs that it was given so far, by priority
 */
@Machine
public record BacklogState(Map<String, WaitingRun> runs, List<Long> seen) {
  /** State before the first run. */
  public static final BacklogState EMPTY =
      new BacklogState(Map.of(), Collections.nCopies(BacklogStock.PRIORITIES, 0L));

  /** Makes the map persistent. */
  public BacklogState {
    runs = runs instanceof PMap<String, WaitingRun> already ? already : HashTreePMap.from(runs);
    seen = List.copyOf(seen);
  }

  /** Returns the state after an event. */
  public BacklogState apply(BacklogEvent event) {
    PMap<String, WaitingRun> all = (PMap<String, WaitingRun>) runs;
    if (event instanceof BacklogEvent.Kept e) {
      List<Long> next = new ArrayList<>(seen);
      int priority = e.waiting().priority();
      next.set(priority, seen.get(priority) + 1);
      return new BacklogState(all.plus(e.job(), e.waiting()), next);
    } else if (event instanceof BacklogEvent.Left e) {
      return new BacklogState(all.minusAll(e.jobs()), seen);
    }
    throw new IllegalStateException("unknown event of a backlog: " + event);
  }
}
