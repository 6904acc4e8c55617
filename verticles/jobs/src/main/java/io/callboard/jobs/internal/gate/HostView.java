package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.GateCommand;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Last report of a live host, as received by the gate.
 *
 * @param name name of the host
 * @param boot boot id of its node
 * @param term term of the host: a run granted in an earlier one that is not in {@code runs} never
 *     starts
 * @param number number of the report within its boot
 * @param slots slots for processes that it offers; 0 while it takes no runs
 * @param runs runs on it, each {@code job/runId}
 * @param fault why it can start nothing; null if it can
 * @param atNs time of arrival, by the gate's clock
 * @param ended those of the runs whose processes have ended
 * @param quiet runs without progress within their timeouts, with their last progress
 * @param faultSince when the fault began, by the host's clock; null without one, and from an older
 *     node
 * @param handlers handlers that it offers, each with the runs that it takes at once
 */
public record HostView(
    String name,
    String boot,
    int term,
    long number,
    int slots,
    Set<String> runs,
    @Nullable String fault,
    long atNs,
    Set<String> ended,
    Map<String, Instant> quiet,
    @Nullable Instant faultSince,
    Map<String, Integer> handlers) {

  /** Creates the view of a report of runs that have not ended. */
  public HostView(
      String name,
      String boot,
      int term,
      long number,
      int slots,
      Set<String> runs,
      @Nullable String fault,
      long atNs) {
    this(name, boot, term, number, slots, runs, fault, atNs, Set.of(), Map.of(), null, Map.of());
  }

  /** Returns the view that a report gives. */
  public static HostView of(GateCommand.Report report, long nowNs) {
    return new HostView(
        report.host(),
        report.boot(),
        report.term() == null ? 0 : report.term(),
        report.number() == null ? 0 : report.number(),
        report.slots(),
        Set.copyOf(report.runs()),
        report.fault(),
        nowNs,
        report.ended() == null ? Set.of() : Set.copyOf(report.ended()),
        report.quiet() == null ? Map.of() : Map.copyOf(report.quiet()),
        report.faultSince(),
        report.handlers() == null ? Map.of() : Map.copyOf(report.handlers()));
  }

  /**
   * Returns the number of runs of a handler that the host takes at once; of processes if it is
   * null.
   */
  int slots(@Nullable String handler) {
    return handler == null ? slots : handlers.getOrDefault(handler, 0);
  }

  /** Returns whether the host takes any run. */
  boolean takesRuns() {
    return slots > 0 || handlers.values().stream().anyMatch(its -> its > 0);
  }

  /**
   * Returns whether the report was sent before {@code other}; reports of an older node have no
   * number.
   */
  boolean isOlderThan(HostView other) {
    return boot.equals(other.boot) && number != 0 && number <= other.number;
  }

  /** Returns the name and boot of the host, in the form in which members are named. */
  String member() {
    return GateMachine.member(name, boot);
  }

  /** Returns when the report arrived, by the clock that shows {@code now}. */
  Instant at(Instant now, long nowNs) {
    return now.minusNanos(nowNs - atNs);
  }

  boolean isSilent(long nowNs) {
    return nowNs - atNs > GateMachine.SILENCE.toNanos();
  }
}
