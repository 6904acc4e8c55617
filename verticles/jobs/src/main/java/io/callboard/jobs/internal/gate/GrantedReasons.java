package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.gate.HostQuestions.Question;
import io.callboard.jobs.model.Blocked;
import java.time.Instant;
import java.util.Optional;

/** Reasons why a job does not run that concern a granted run of it. Pure. */
final class GrantedReasons {
  private GrantedReasons() {}

  /** Returns why a granted run may not be running. */
  static Blocked of(Handle handle, GateMachine machine, String job, Instant now, long nowNs) {
    HostView host = machine.hosts().get(handle.host());
    Optional<Question> question = machine.watch().question(job, handle);
    if (host == null || !host.boot().equals(handle.boot())) {
      return asked(silent(handle.host()), question);
    } else if (host.isSilent(nowNs)) {
      return asked(silent(handle.host()).since(host.at(now, nowNs)), question);
    } else if (handle.isSilent() && question.isPresent()) {
      return asked(unanswered(handle), question);
    }
    String run = GateMachine.run(job, handle);
    Instant quiet = host.quiet().get(run);
    if (quiet != null) {
      return asked(quiet(handle).since(quiet), question);
    }
    boolean reported = host.runs().contains(run);
    String how = reported ? "has it, and its start is not known yet" : "has not reported it yet";
    String fault = host.fault() == null ? "" : "; the host cannot start runs: " + host.fault();
    return Blocked.of(
            "starting",
            "host %s was granted run %d at %s and %s%s"
                .formatted(handle.host(), handle.runId(), handle.grantedAt(), how, fault),
            reported
                ? "the host reports the start"
                : "the host reports it; after %d s the gate asks for it, and a run that is not there is queued again"
                    .formatted(GateMachine.START_GRACE.toSeconds()))
        .since(handle.grantedAt());
  }

  private static Blocked asked(Blocked reason, Optional<Question> question) {
    return question
        .map(it -> reason.question(it.lastAt(), it.asked() == 0 ? it.answer() : null))
        .orElse(reason);
  }

  /** Returns the reason that a host gets no runs because it is silent. */
  static Blocked silent(HostView host, HostWatch watch, Instant now, long nowNs) {
    if (host.isSilent(nowNs)) {
      return asked(silent(host.name()).since(host.at(now, nowNs)), watch.question(host));
    }
    return Blocked.of(
        "silent-host",
        "host %s does not say how a run of it is that makes no progress".formatted(host.name()),
        "the host answers the gate's question, or the run ends");
  }

  /** Returns the reason that a host is silent. */
  static Blocked silent(String host) {
    return Blocked.of(
        "silent-host",
        "host %s is not reporting its runs".formatted(host),
        "the host reports again, or has been no member of the cell for %d s: then its runs are lost"
            .formatted(GateMachine.DEATH_GRACE.toSeconds()));
  }

  private static Blocked unanswered(Handle handle) {
    return Blocked.of(
        "silent-host",
        "host %s reports run %d, but does not say how it is"
            .formatted(handle.host(), handle.runId()),
        "the host answers the gate's question, or the run ends");
  }

  private static Blocked quiet(Handle handle) {
    return Blocked.of(
        "stalled",
        "host %s reports no progress of run %d".formatted(handle.host(), handle.runId()),
        "it writes progress or a checkpoint, or ends");
  }

  /** Returns the reason that an earlier run of the job still has its slot. */
  static Blocked earlier(Handle handle) {
    return Blocked.of(
            "earlier-run",
            "its run %d on host %s still has its slot".formatted(handle.runId(), handle.host()),
            "the end of that run arrives at the gate")
        .since(handle.grantedAt());
  }

  /** Returns the reason that a host has a run of the job without a handle. */
  static Blocked orphan(String run) {
    return Blocked.of(
        "earlier-run",
        "run %s, which has no handle, is alive and being killed".formatted(run),
        "its host reports that it is gone");
  }
}
