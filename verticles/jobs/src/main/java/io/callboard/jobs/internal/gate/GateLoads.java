package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.GateLoad;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Loads of the types that have runs at the gate. Pure. */
public final class GateLoads {
  private final Map<String, GateLoad> byType = new TreeMap<>();

  private GateLoads() {}

  /** Returns the loads at that time, by the names of the types. */
  public static List<GateLoad> of(GateState state, Instant now) {
    GateLoads loads = new GateLoads();
    state
        .handles()
        .forEach(
            (job, handle) ->
                loads.add(handle.type(), load -> load.granted(job, handle.grantedAt())));
    state.waiting().forEach((job, run) -> loads.waiting(state, job, run, now));
    state
        .knownBacklogs()
        .forEach((type, backlog) -> loads.add(type, load -> load.beyond(backlog.size())));
    return List.copyOf(loads.byType.values());
  }

  /** Adds a run that is due; one whose job has another run waits for that, not for the gate. */
  private void waiting(GateState state, String job, WaitingRun run, Instant now) {
    if (AdmissionMachine.isDue(run, now) && !state.handles().containsKey(job)) {
      Instant due = run.notBefore();
      Instant since = due != null && due.isAfter(run.at()) ? due : run.at();
      add(run.type(), load -> load.due(job, since));
    }
  }

  private void add(String type, UnaryOperator<GateLoad> more) {
    byType.put(type, more.apply(byType.getOrDefault(type, GateLoad.none(type))));
  }
}
