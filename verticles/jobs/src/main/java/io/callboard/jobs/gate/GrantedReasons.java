package io.callboard.jobs.gate;

import io.callboard.jobs.gate.GateState.Handle;
import io.callboard.jobs.model.Blocked;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reasons why a job does not run that concern a granted run of it. Pure. */
final class GrantedReasons {
  private GrantedReasons() {}

  /**
   * Returns why a granted run may not be running.
   *
   * @param host last report of its host; null if there is none
   */
  static Blocked of(Handle handle, @Nullable HostView host, String job, Instant now, long nowNs) {
    if (host == null || !host.boot().equals(handle.boot())) {
      return silent(handle.host());
    } else if (host.isSilent(nowNs)) {
      return silent(handle.host()).since(host.at(now, nowNs));
    }
    boolean reported = host.runs().contains(GateMachine.run(job, handle));
    String how = reported ? "has it, and its start is not known yet" : "has not reported it yet";
    return Blocked.of(
            "starting",
            "host %s was granted run %d at %s and %s"
                .formatted(handle.host(), handle.runId(), handle.grantedAt(), how),
            reported
                ? "the host reports the start"
                : "the host reports it; after %d s the gate asks for it, and a run that is not there is queued again"
                    .formatted(GateMachine.START_GRACE.toSeconds()))
        .since(handle.grantedAt());
  }

  /** Returns the reason that a host is silent. */
  static Blocked silent(String host) {
    return Blocked.of(
        "silent-host",
        "host %s is not reporting its runs".formatted(host),
        "the host reports again, or has been no member of the cell for %d s: then its runs are lost"
            .formatted(GateMachine.DEATH_GRACE.toSeconds()));
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
