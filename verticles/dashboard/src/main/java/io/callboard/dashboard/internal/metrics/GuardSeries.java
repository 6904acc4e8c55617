package io.callboard.dashboard.internal.metrics;

import static io.callboard.dashboard.internal.metrics.PrometheusWriter.label;

import io.callboard.admin.ActorStatus;
import io.callboard.guard.GuardStatus;
import io.callboard.guard.GuardStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Series of guards: one set for each of the first by path, up to a limit. A guard that does not run
 * has none. Pure.
 */
final class GuardSeries {
  /** Maximum number of guards with series of their own. */
  static final int MOST = 200;

  private final PrometheusWriter out;
  private final Map<String, GuardStatus> shown = new TreeMap<>();

  private GuardSeries(PrometheusWriter out, Map<String, GuardStatus> guards) {
    this.out = out;
    guards.entrySet().stream()
        .limit(MOST)
        .forEach(guard -> shown.put(guard.getKey(), guard.getValue()));
  }

  static void write(PrometheusWriter out, List<ActorStatus> actors, Instant now) {
    Map<String, GuardStatus> guards = new TreeMap<>();
    for (ActorStatus actor : actors) {
      if (actor.details() instanceof GuardStatus guard) {
        guards.put(label("actor", actor.path().toString()), guard);
      }
    }
    out.gauge("callboard_guards", "Guards that run on this node", guards.size());
    GuardSeries series = new GuardSeries(out, guards);
    out.gauge(
        "callboard_guards_not_shown",
        "Guards without series of their own",
        guards.size() - series.shown.size());
    series.all(now);
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
    String name = "callboard_guard_state";
    out.head(name, "gauge", "1 for the state of the circuit: CLOSED, OPEN or HALF_OPEN");
    shown.forEach(
        (actor, guard) -> {
          for (State state : State.values()) {
            out.line(
                name, actor + "," + label("state", state.name()), guard.state() == state ? 1L : 0L);
          }
        });
  }

  private void seconds(ToDoubleFunction<GuardStatus> value) {
    String name = "callboard_guard_open_seconds";
    out.head(name, "gauge", "For how long the circuit has not been closed, 0 while it is closed");
    shown.forEach((actor, guard) -> out.line(name, actor, value.applyAsDouble(guard)));
  }

  private void gauge(String what, String help, ToLongFunction<GuardStatus> value) {
    lines("callboard_guard_" + what, "gauge", help, value);
  }

  private void counter(String what, String help, ToLongFunction<GuardStatus> value) {
    lines("callboard_guard_" + what + "_total", "counter", help, value);
  }

  private void lines(String name, String type, String help, ToLongFunction<GuardStatus> value) {
    out.head(name, type, help);
    shown.forEach((actor, guard) -> out.line(name, actor, value.applyAsLong(guard)));
  }
}
