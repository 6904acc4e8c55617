package io.callboard.jobs.internal.gate;

import static java.util.stream.Collectors.joining;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.Remedy;
import io.callboard.jobs.model.TypePause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reasons why a job does not run, as far as the gate knows them. Pure. */
public final class BlockedReasons {
  /** Maximum number of hosts that a reason names. */
  private static final int MOST_NAMED = 3;

  private BlockedReasons() {}

  /**
   * Returns every reason that holds; empty if the gate does not know the job. A run that was
   * granted and is reported is {@code starting}: only its job knows whether it has started.
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
    Handle handle = state.handles().get(job);
    if (waiting == null) {
      return handle == null
          ? beyond(state, ofType)
          : List.of(GrantedReasons.of(handle, machine, job, now, nowNs));
    }
    List<Blocked> reasons = new ArrayList<>();
    if (handle != null) {
      reasons.add(GrantedReasons.earlier(handle));
    }
    machine.orphan(job).ifPresent(run -> reasons.add(GrantedReasons.orphan(run)));
    if (!AdmissionMachine.isDue(waiting, now)) {
      Instant due = waiting.notBefore();
      String time = String.valueOf(due);
      reasons.add(Blocked.of("not-due", "it is due at " + time, "it is due").until(due));
    }
    RunCounts counts = machine.counts(state);
    reasons.addAll(limits(state, job, waiting, counts, now));
    reasons.addAll(hosts(state, machine, job, waiting, counts, now, nowNs));
    if (reasons.isEmpty()) {
      reasons.add(next(state, job, waiting, now));
    }
    return reasons;
  }

  /** Returns the position among the due runs of its type. */
  private static int ofType(GateState state, String job, WaitingRun waiting, Instant now) {
    return AdmissionMachine.position(
        state, job, waiting, now, other -> other.type().equals(waiting.type()));
  }

  /** Returns the position among the due runs that a free slot would be given to. */
  private static int forSlot(
      GateState state, String job, WaitingRun waiting, RunCounts counts, Instant now) {
    String handler = state.handler(waiting.type());
    return AdmissionMachine.position(
        state,
        job,
        waiting,
        now,
        other -> mayRun(state.types().get(other.type()), handler, counts));
  }

  private static boolean mayRun(
      @Nullable JobType type, @Nullable String handler, RunCounts counts) {
    return type != null
        && Objects.equals(type.handler(), handler)
        && !type.paused()
        && counts.ofType(type.name()) < type.limit();
  }

  private static Blocked next(GateState state, String job, WaitingRun waiting, Instant now) {
    int position = ofType(state, job, waiting, now);
    String detail = "nothing blocks it; %d due jobs of its type go first".formatted(position - 1);
    return new Blocked(
        "next",
        detail,
        null,
        null,
        position,
        null,
        null,
        "the gate has made its next decisions, within about a second",
        null,
        null,
        null,
        null);
  }

  private static List<Blocked> limits(
      GateState state, String job, WaitingRun waiting, RunCounts counts, Instant now) {
    List<Blocked> reasons = new ArrayList<>();
    JobType type = state.types().get(waiting.type());
    int running = counts.ofType(waiting.type());
    if (type == null) {
      reasons.add(
          Blocked.of("gate", "its type does not exist", "the type is created")
              .remedy(Remedy.createType(waiting.type())));
    } else if (type.paused()) {
      TypePause pause = state.pause(type.name());
      reasons.add(
          Blocked.of(
                  "paused",
                  "type %s is paused%s"
                      .formatted(type.name(), pause == null ? "" : " " + pause.text()),
                  "the type is resumed")
              .since(pause == null ? null : pause.at())
              .remedy(Remedy.resumeType(type.name())));
    } else if (running >= type.limit()) {
      reasons.add(
          Blocked.of(
                  "gate",
                  "type %s has %d of %d runs".formatted(type.name(), running, type.limit()),
                  (running == 0 ? "" : "a run of the type ends, or ") + "the limit is raised")
              .with(running, type.limit(), ofType(state, job, waiting, now))
              .remedy(Remedy.raiseLimit(type.name())));
    }
    for (String label : RunLane.limits(waiting.labels(), state.labelLimits().keySet())) {
      int used = counts.ofLimit(label);
      int limit = state.labelLimits().getOrDefault(label, Integer.MAX_VALUE);
      if (used >= limit) {
        reasons.add(
            Blocked.of(
                    "label-limit",
                    "label %s has %d of %d runs".formatted(label, used, limit),
                    (used == 0 ? "" : "a run with the label ends, or ") + "the limit is raised")
                .with(used, limit, null)
                .remedy(Remedy.raiseLabelLimit(label)));
      }
    }
    return reasons;
  }

  /**
   * Returns that a job which the window does not have may be in the backlog of its type: the gate
   * knows how many are due there, not which.
   */
  private static List<Blocked> beyond(GateState state, @Nullable String type) {
    return type == null || !state.knownBacklogs().containsKey(type)
        ? List.of()
        : List.of(
            Blocked.of(
                "backlog",
                "it waits in the backlog of type %s, where %d jobs are due, behind the %d that the gate chooses from"
                    .formatted(type, state.backlog(type).size(), state.waiting().size()),
                "those before it of its type and priority, with the same labels that have a limit"
                    + " and the same required labels, have left the gate"));
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
      return List.of(
          Blocked.of(
              "no-host",
              "no host has reported yet",
              "a host reports, which each does every ten seconds, or a node joins"));
    }
    List<HostView> offering =
        machine.hosts().values().stream()
            .filter(host -> machine.labels().meets(host.name(), waiting.requires()))
            .toList();
    if (offering.isEmpty()) {
      List<String> unable = unable(machine, waiting);
      if (!unable.isEmpty()) {
        return List.of(unreadable(machine, waiting, unable, now, nowNs));
      }
      return List.of(
          Blocked.of(
              "no-host",
              "no host offers " + HandlerNeed.words(waiting.requires()),
              state.handler(waiting.type()) == null
                  ? "a node with these labels joins"
                  : "a node that has them joins, or its program offers the handler: Jobs.handle"));
    }
    List<Blocked> reasons = new ArrayList<>();
    List<HostView> open = new ArrayList<>();
    for (HostView host : offering) {
      if (machine.isDraining(host.name())) {
        reasons.add(
            Blocked.of("draining", "host %s is draining".formatted(host.name()), "the drain ends")
                .remedy(Remedy.undrain(host.name())));
      } else if (machine.watch().isSilent(host, nowNs)) {
        reasons.add(GrantedReasons.silent(host, machine.watch(), now, nowNs));
      } else if (host.fault() != null) {
        reasons.add(
            Blocked.of(
                    "host-fault",
                    "host %s cannot start runs: %s".formatted(host.name(), host.fault()),
                    "the start that hangs returns, or a probe of the host succeeds, of which there"
                        + " is one a minute at least")
                .since(host.faultSince()));
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

  /** Returns the hosts that have what a run requires, but cannot read its arguments. */
  private static List<String> unable(GateMachine machine, WaitingRun waiting) {
    Map<String, String> required = HandlerNeed.readable(waiting.requires());
    return machine.hosts().keySet().stream()
        .filter(host -> machine.labels().meets(host, required))
        .toList();
  }

  private static Blocked unreadable(
      GateMachine machine, WaitingRun waiting, List<String> hosts, Instant now, long nowNs) {
    Instant since = machine.unreadable().since(waiting, now, nowNs);
    String fails =
        "; the job fails if none has within %d minutes"
            .formatted(UnreadableRuns.PATIENCE.toMinutes());
    return Blocked.of(
            "unreadable",
            "no host that offers %s can read its arguments (asked: %s)"
                .formatted(HandlerNeed.words(waiting.requires()), names(hosts)),
            "a node that can joins, as in a rolling upgrade" + (since == null ? "" : fails))
        .since(since);
  }

  private static boolean hasRoom(HostView host, @Nullable JobType type, RunCounts counts) {
    String handler = type == null ? null : type.handler();
    return hasSlot(host, handler, counts)
        && (type == null
            || counts.ofTypeOnHost(type.name(), host.name()) < type.mostOf(host.slots(handler)));
  }

  private static boolean hasSlot(HostView host, @Nullable String handler, RunCounts counts) {
    return counts.onHost(host.name(), handler) < host.slots(handler);
  }

  private static Blocked full(
      GateState state,
      String job,
      WaitingRun waiting,
      List<HostView> open,
      RunCounts counts,
      Instant now) {
    String handler = state.handler(waiting.type());
    int slots = open.stream().mapToInt(host -> host.slots(handler)).sum();
    String kind = handler == null ? "" : " for the handler \"%s\"".formatted(handler);
    if (open.stream().anyMatch(host -> hasSlot(host, handler, counts))) {
      return Blocked.of(
              "max-share",
              "type %s uses its share of each host with a free slot".formatted(waiting.type()),
              "a run of the type ends, its maxShare is raised, or a host joins")
          .with(counts.ofType(waiting.type()), null, ofType(state, job, waiting, now));
    }
    List<HostView> offering = open.stream().filter(host -> host.slots(handler) > 0).toList();
    return Blocked.of(
            "no-slot",
            offering.isEmpty()
                ? "there are no slots%s on %s"
                    .formatted(kind, names(open.stream().map(HostView::name).toList()))
                : "all %d slots%s of %d hosts are in use".formatted(slots, kind, offering.size()),
            offering.isEmpty()
                ? "a host offers slots, or a node joins"
                : "a run ends, or a node joins")
        .with(
            open.stream().mapToInt(host -> counts.onHost(host.name(), handler)).sum(),
            slots,
            forSlot(state, job, waiting, counts, now));
  }

  private static String names(List<String> hosts) {
    String named = hosts.stream().limit(MOST_NAMED).collect(joining(", "));
    int more = hosts.size() - MOST_NAMED;
    return more > 0 ? "%s and %d more hosts".formatted(named, more) : named;
  }
}
