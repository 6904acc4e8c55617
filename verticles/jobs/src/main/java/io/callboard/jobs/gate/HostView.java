package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.GateCommand;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Last report of a live host, as the gate has it.
 *
 * @param boot of its node
 * @param term a run that was granted in an earlier one and is not in {@code runs} never starts
 * @param number of the report, within its boot
 * @param slots that it offers; 0 while it takes no runs
 * @param runs each {@code job/runId}
 * @param fault why it can start nothing; null if it can
 * @param atNs when it came, by the gate's clock
 */
public record HostView(
    String name,
    String boot,
    int term,
    long number,
    int slots,
    Set<String> runs,
    @Nullable String fault,
    long atNs) {

  public static HostView of(GateCommand.Report report, long nowNs) {
    return new HostView(
        report.host(),
        report.boot(),
        report.term() == null ? 0 : report.term(),
        report.number() == null ? 0 : report.number(),
        report.slots(),
        Set.copyOf(report.runs()),
        report.fault(),
        nowNs);
  }

  /** Whether it was sent before {@code other}; an older node numbers nothing. */
  boolean isOlderThan(HostView other) {
    return boot.equals(other.boot) && number != 0 && number <= other.number;
  }

  boolean isSilent(long nowNs) {
    return nowNs - atNs > GateMachine.SILENCE.toNanos();
  }
}
