package io.callboard.jobs.internal.actor;

import io.callboard.jobs.internal.gate.BacklogView;
import io.callboard.jobs.internal.gate.GateLoads;
import io.callboard.jobs.internal.gate.GateMachine;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.gate.HostView;
import io.callboard.jobs.internal.gate.RunCounts;
import io.callboard.jobs.internal.protocol.GateAnswer;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobHost.HandlerSlots;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.LabelLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers of the gate about limits, types and hosts, from its state and machine. Pure. */
final class GateAnswers {
  private GateAnswers() {}

  /** Returns the limits of labels, each with the runs that count against it. */
  static GateAnswer limits(GateState state, GateMachine machine) {
    RunCounts running = machine.counts(state);
    return new GateAnswer.Limits(
        new TreeMap<>(state.labelLimits())
            .entrySet().stream()
                .map(
                    limit ->
                        new LabelLimit(
                            limit.getKey(), limit.getValue(), running.ofLimit(limit.getKey())))
                .toList());
  }

  /** Returns types, hosts and numbers of runs. */
  static GateAnswer overview(
      GateState state, GateMachine machine, GateCommand.Look look, Instant now) {
    List<JobType> types = new ArrayList<>(state.types().values());
    types.sort(Comparator.comparing(JobType::name));
    int beyond = state.knownBacklogs().values().stream().mapToInt(BacklogView::size).sum();
    return new GateAnswer.Overview(
        types,
        hosts(state, machine),
        state.waiting().size() + beyond,
        state.handles().size(),
        Boolean.TRUE.equals(look.loads()) ? GateLoads.of(state, now) : null,
        state.pauses());
  }

  private static @Nullable Map<String, HandlerSlots> handlers(HostView host, RunCounts running) {
    Map<String, HandlerSlots> handlers = new TreeMap<>();
    host.handlers()
        .forEach(
            (name, slots) ->
                handlers.put(name, new HandlerSlots(slots, running.onHost(host.name(), name))));
    return handlers.isEmpty() ? null : handlers;
  }

  /** Returns the hosts that have reported, and those that have not but have runs. */
  private static List<JobHost> hosts(GateState state, GateMachine machine) {
    RunCounts running = machine.counts(state);
    List<JobHost> all = new ArrayList<>();
    for (HostView host : machine.hosts().values()) {
      int used = running.onHost(host.name());
      all.add(
          new JobHost(host.name(), host.boot(), host.slots(), used, true, handlers(host, running)));
    }
    state.handles().values().stream()
        .map(GateState.Handle::host)
        .distinct()
        .filter(host -> !machine.hosts().containsKey(host))
        .forEach(host -> all.add(new JobHost(host, "", 0, running.onHost(host), false)));
    all.sort(Comparator.comparing(JobHost::name));
    return all;
  }
}
