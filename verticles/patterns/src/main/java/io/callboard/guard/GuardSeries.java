package io.callboard.guard;

import io.callboard.admin.ActorStatus;
import io.callboard.guard.GuardStatus.State;
import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Series of guards: one set for each of the first guards by path, up to a limit. A guard that does
 * not run has none.
 */
public final class GuardSeries {
  /** Maximum number of guards with series of their own. */
  static final int MOST = 200;

  private final Metrics out;
  private final Map<String, GuardStatus> shown = new TreeMap<>();

  private GuardSeries(Metrics out, Map<String, GuardStatus> guards) {
    this.out = out;
    guards.entrySet().stream()
        .limit(MOST)
        .forEach(guard -> shown.put(guard.getKey(), guard.getValue()));
  }

  /**
   * Returns the series.
   *
   * @param actors actors that report details, guards among them
   */
  public static List<Metric> of(List<ActorStatus> actors, Instant now) {
    Metrics out = new Metrics();
    Map<String, GuardStatus> guards = new TreeMap<>();
    for (ActorStatus actor : actors) {
      if (actor.details() instanceof GuardStatus guard) {
        guards.put(actor.path().toString(), guard);
      }
    }
    out.gauge("callboard_guards", "Guards that run on this node", guards.size());
    GuardSeries series = new GuardSeries(out, guards);
    out.gauge(
        "callboard_guards_not_shown",
        "Guards without series of their own",
        guards.size() - series.shown.size());
    series.all(now);
    return out.all();
  }

  private void all(Instant now) {
    states();
    gauge("failures", "Failures since the last acknowledgement", GuardStatus::failures);
    gauge("held", "Messages buffered by a guard", GuardStatus::held);
    gauge("under_way", "Messages in flight to the guarded actor", GuardStatus::underWay);
    seconds(guard -> openFor(guard, now));
    counter("acknowledged", "Messages that the guarded actor handled", GuardStatus::acknowledged);
    counter("redelivered", "Delivery attempts after the first", GuardStatus::redelivered);
    counter("fallback", "Messages that went to the fallback", GuardStatus::fallback);
    counter("given_up", "Messages that became dead letters", GuardStatus::givenUp);
    counter(
        "lapsed", "Messages whose time to live or asker's timeout had passed", GuardStatus::lapsed);
  }

  private static double openFor(GuardStatus guard, Instant now) {
    Instant openedAt = guard.openedAt();
    return openedAt == null ? 0 : Math.max(0, Duration.between(openedAt, now).toMillis() / 1e3);
  }

  private void states() {
    Metrics.Series series =
        out.gauges(
            "callboard_guard_state", "1 for the state of the circuit: CLOSED, OPEN or HALF_OPEN");
    shown.forEach(
        (actor, guard) -> {
          for (State state : State.values()) {
            series.add(guard.state() == state ? 1 : 0, "actor", actor, "state", state.name());
          }
        });
  }

  private void seconds(ToDoubleFunction<GuardStatus> value) {
    Metrics.Series series =
        out.gauges(
            "callboard_guard_open_seconds",
            "For how long the circuit has not been closed, 0 while it is closed");
    shown.forEach((actor, guard) -> series.add(value.applyAsDouble(guard), "actor", actor));
  }

  private void gauge(String what, String help, ToLongFunction<GuardStatus> value) {
    add(out.gauges("callboard_guard_" + what, help), value);
  }

  private void counter(String what, String help, ToLongFunction<GuardStatus> value) {
    add(out.counters("callboard_guard_" + what + "_total", help), value);
  }

  private void add(Metrics.Series series, ToLongFunction<GuardStatus> value) {
    shown.forEach((actor, guard) -> series.add(value.applyAsLong(guard), "actor", actor));
  }
}
