package io.callboard.jobs.gate;

import io.callboard.jobs.gate.GateState.Handle;
import io.callboard.jobs.gate.GateState.Waiting;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Reasons why a waiting job does not run. Pure. */
public final class BlockedReasons {
  private BlockedReasons() {}

  /**
   * Returns every reason that holds; empty if the gate does not know the job, or its run is well.
   */
  public static List<Blocked> reasons(
      GateState state, GateMachine machine, String job, Instant now, long nowNs) {
    Waiting waiting = state.waiting().get(job);
    if (waiting == null) {
      Handle handle = state.handles().get(job);
      return handle == null ? List.of() : silence(handle, machine, nowNs);
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
    JobType type = state.types().get(waiting.type());
    RunCounts counts = RunCounts.of(state.handles().values());
    int running = counts.ofType(waiting.type());
    if (type == null) {
      reasons.add(new Blocked("gate", "its type does not exist", null, null, null, null));
    } else if (type.paused()) {
      reasons.add(
          new Blocked(
              "paused", "type %s is paused".formatted(type.name()), null, null, null, null));
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
    reasons.addAll(hosts(state, machine, job, waiting, counts, now, nowNs));
    return reasons;
  }

  private static List<Blocked> hosts(
      GateState state,
      GateMachine machine,
      String job,
      Waiting waiting,
      RunCounts counts,
      Instant now,
      long nowNs) {
    Collection<HostView> hosts = machine.hosts().values();
    if (hosts.isEmpty()) {
      return List.of(new Blocked("no-host", "no host has reported yet", null, null, null, null));
    }
    List<Blocked> reasons = new ArrayList<>();
    List<HostView> open = new ArrayList<>();
    for (HostView host : hosts) {
      if (machine.isDraining(host.name())) {
        reasons.add(
            new Blocked(
                "draining", "host %s is draining".formatted(host.name()), null, null, null, null));
      } else if (host.isSilent(nowNs)) {
        reasons.add(silent(host.name()));
      } else if (host.fault() != null) {
        reasons.add(
            new Blocked(
                "host-fault",
                "host %s cannot start runs: %s".formatted(host.name(), host.fault()),
                null,
                null,
                null,
                null));
      } else {
        open.add(host);
      }
    }
    if (open.stream().anyMatch(host -> counts.onHost(host.name()) < host.slots())) {
      return List.of();
    }
    if (!open.isEmpty()) {
      int slots = open.stream().mapToInt(HostView::slots).sum();
      reasons.add(
          0,
          new Blocked(
              "no-slot",
              "all %d slots of %d hosts are in use".formatted(slots, open.size()),
              state.handles().size(),
              slots,
              AdmissionMachine.position(state, job, waiting, now),
              null));
    }
    return reasons;
  }

  /** Returns the reason why a granted run is not reported, if its host is silent. */
  private static List<Blocked> silence(Handle handle, GateMachine machine, long nowNs) {
    HostView host = machine.hosts().get(handle.host());
    return host == null || host.isSilent(nowNs) ? List.of(silent(handle.host())) : List.of();
  }

  private static Blocked silent(String host) {
    return new Blocked(
        "silent-host", "host %s is not reporting its runs".formatted(host), null, null, null, null);
  }
}
