package io.callboard.jobs.gate;

import io.callboard.jobs.gate.GateState.Handle;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.protocol.LabelText;
import io.callboard.jobs.protocol.WaitingRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reasons why a waiting job does not run. Pure. */
public final class BlockedReasons {
  private BlockedReasons() {}

  /**
   * Returns every reason that holds; empty if the gate does not know the job, or its run is well.
   *
   * @param ofType type of the job, if it is known: it may be in the backlog of that
   */
  public static List<Blocked> reasons(
      GateState state,
      GateMachine machine,
      String job,
      @Nullable String ofType,
      Instant now,
      long nowNs) {
    WaitingRun waiting = state.waiting().get(job);
    if (waiting == null) {
      Handle handle = state.handles().get(job);
      return handle == null
          ? beyond(state, ofType)
          : granted(handle, machine.hosts().get(handle.host()), job, nowNs);
    }
    List<Blocked> reasons = new ArrayList<>();
    if (!AdmissionMachine.isDue(waiting, now)) {
      reasons.add(
          new Blocked(
              "not-due",
              "it is due at " + waiting.notBefore(),
              null,
              null,
              null,
              waiting.notBefore()));
    }
    RunCounts counts = machine.counts(state);
    reasons.addAll(limits(state, job, waiting, counts, now));
    reasons.addAll(hosts(state, machine, job, waiting, counts, now, nowNs));
    return reasons;
  }

  private static List<Blocked> limits(
      GateState state, String job, WaitingRun waiting, RunCounts counts, Instant now) {
    List<Blocked> reasons = new ArrayList<>();
    JobType type = state.types().get(waiting.type());
    int running = counts.ofType(waiting.type());
    if (type == null) {
      reasons.add(reason("gate", "its type does not exist"));
    } else if (type.paused()) {
      reasons.add(reason("paused", "type %s is paused".formatted(type.name())));
    } else if (running >= type.limit()) {
      reasons.add(
          new Blocked(
              "gate",
              "type %s has %d of %d runs".formatted(type.name(), running, type.limit()),
              running,
              type.limit(),
              AdmissionMachine.position(state, job, waiting, now),
              null));
    }
    for (String label : RunLane.limits(waiting.labels(), state.labelLimits().keySet())) {
      int used = counts.ofLimit(label);
      int limit = state.labelLimits().getOrDefault(label, Integer.MAX_VALUE);
      if (used >= limit) {
        reasons.add(
            new Blocked(
                "label-limit",
                "label %s has %d of %d runs".formatted(label, used, limit),
                used,
                limit,
                null,
                null));
      }
    }
    return reasons;
  }

  private static Blocked reason(String kind, String detail) {
    return new Blocked(kind, detail, null, null, null, null);
  }

  /** Returns why a job that the window does not have waits in the backlog of its type. */
  private static List<Blocked> beyond(GateState state, @Nullable String type) {
    int beyond = type == null ? 0 : state.backlog(type).size();
    return beyond == 0
        ? List.of()
        : List.of(
            reason(
                "backlog",
                "it is one of %d jobs of type %s that wait behind the %d that the gate chooses from"
                    .formatted(beyond, type, state.waiting().size())));
  }

  private static List<Blocked> hosts(
      GateState state,
      GateMachine machine,
      String job,
      WaitingRun waiting,
      RunCounts counts,
      Instant now,
      long nowNs) {
    if (machine.hosts().isEmpty()) {
      return List.of(reason("no-host", "no host has reported yet"));
    }
    List<HostView> offering =
        machine.hosts().values().stream()
            .filter(host -> offers(machine, host.name(), waiting.requires()))
            .toList();
    if (offering.isEmpty()) {
      return List.of(reason("no-host", "no host offers " + LabelText.words(waiting.requires())));
    }
    List<Blocked> reasons = new ArrayList<>();
    List<HostView> open = new ArrayList<>();
    for (HostView host : offering) {
      if (machine.isDraining(host.name())) {
        reasons.add(reason("draining", "host %s is draining".formatted(host.name())));
      } else if (host.isSilent(nowNs)) {
        reasons.add(silent(host.name()));
      } else if (host.fault() != null) {
        reasons.add(
            reason(
                "host-fault",
                "host %s cannot start runs: %s".formatted(host.name(), host.fault())));
      } else {
        open.add(host);
      }
    }
    JobType type = state.types().get(waiting.type());
    if (open.stream().anyMatch(host -> hasRoom(host, type, counts))) {
      return List.of();
    }
    if (!open.isEmpty()) {
      reasons.add(0, full(state, job, waiting, open, counts, now));
    }
    return reasons;
  }

  private static boolean offers(GateMachine machine, String host, Map<String, String> required) {
    return machine.labels(host).entrySet().containsAll(required.entrySet());
  }

  private static boolean hasRoom(HostView host, @Nullable JobType type, RunCounts counts) {
    return counts.onHost(host.name()) < host.slots()
        && (type == null
            || counts.ofTypeOnHost(type.name(), host.name()) < type.mostOf(host.slots()));
  }

  private static Blocked full(
      GateState state,
      String job,
      WaitingRun waiting,
      List<HostView> open,
      RunCounts counts,
      Instant now) {
    int slots = open.stream().mapToInt(HostView::slots).sum();
    int position = AdmissionMachine.position(state, job, waiting, now);
    if (open.stream().anyMatch(host -> counts.onHost(host.name()) < host.slots())) {
      return new Blocked(
          "max-share",
          "type %s uses its share of each host with a free slot".formatted(waiting.type()),
          counts.ofType(waiting.type()),
          null,
          position,
          null);
    }
    return new Blocked(
        "no-slot",
        "all %d slots of %d hosts are in use".formatted(slots, open.size()),
        state.handles().size(),
        slots,
        position,
        null);
  }

  /** Returns why a granted run is not reported as running. */
  private static List<Blocked> granted(
      Handle handle, @Nullable HostView host, String job, long nowNs) {
    if (host == null || host.isSilent(nowNs)) {
      return List.of(silent(handle.host()));
    }
    return host.runs().contains(GateMachine.run(job, handle))
        ? List.of()
        : List.of(
            reason(
                "starting",
                "host %s was granted run %d at %s and has not reported it yet"
                    .formatted(handle.host(), handle.runId(), handle.grantedAt())));
  }

  private static Blocked silent(String host) {
    return reason("silent-host", "host %s is not reporting its runs".formatted(host));
  }
}
