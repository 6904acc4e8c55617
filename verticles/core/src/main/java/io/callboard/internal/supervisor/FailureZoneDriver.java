package io.callboard.internal.supervisor;

import io.callboard.internal.failurezone.ChildRest;
import io.callboard.internal.failurezone.FailureZoneMachine;
import io.callboard.internal.failurezone.FailureZoneStep;
import io.callboard.internal.failurezone.RestartWindow;
import io.callboard.internal.failurezone.Streak;
import io.callboard.supervision.Causes;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carrier of a {@link FailureZoneMachine}: carries its steps out on the children, and reports to it
 * what happened, and the time. Used on the context of its verticle.
 */
final class FailureZoneDriver {
  private static final Logger log = LoggerFactory.getLogger(FailureZoneDriver.class);

  private final FailureZoneMachine machine;
  private final Context context;
  private final Time time;
  private final Consumer<FailureZoneStep> told;
  private final Map<String, Kept> children = new HashMap<>();
  private Time.@Nullable Alarm alarm;
  private long alarmNs;
  private boolean over;

  /** A child, and the work it had done when it was started. */
  private static final class Kept {
    final Supervised child;
    final FailureLines lines = new FailureLines();
    volatile long work;
    @Nullable Throwable lastCause;

    Kept(Supervised child) {
      this.child = child;
    }

    /** Returns whether the child has worked since it was started. Any thread. */
    boolean works() {
      return child.work() > work;
    }
  }

  /**
   * @param told called with steps that concern the whole zone: {@link FailureZoneStep.Up}, and its
   *     end
   */
  FailureZoneDriver(
      FailureZoneMachine machine, Context context, Time time, Consumer<FailureZoneStep> told) {
    this.machine = machine;
    this.context = context;
    this.time = time;
    this.told = told;
  }

  /** Starts the zone. */
  void start() {
    happened(machine::start);
  }

  /** Stops the zone. */
  void stop() {
    happened(machine::stop);
  }

  /** Stops all children at once that have not stopped yet, and each that comes up later. */
  void force() {
    happened(machine::force);
  }

  /**
   * Carries nothing out any more, and lets go of the children: whoever still has one of them does
   * not hold the others.
   */
  void close() {
    over = true;
    cancelAlarm();
    children.values().forEach(kept -> kept.child.failing(null));
    children.clear();
  }

  /** Adds a child; one that comes after the end is its next life's. */
  void add(Supervised child) {
    if (!over && children.putIfAbsent(name(child), new Kept(child)) == null) {
      child.failing(null); // what counted against it ended with the zone's last life
      ChildRest rest = child.rests();
      happened(
          now ->
              rest == null
                  ? machine.add(name(child), child.supervision(), now)
                  : machine.addResting(name(child), child.supervision(), rest, now));
      tellBudget(child);
    }
  }

  /**
   * Adds a child that runs already.
   *
   * @param options of the child
   */
  void adopt(Supervised child, SupervisionOptions options) {
    children.put(name(child), new Kept(child));
    child.failing(null);
    happened(now -> machine.adopt(name(child), options, now));
    tellBudget(child);
  }

  /** Changes the policy of the zone. */
  void policy(FailureZone next) {
    happened(now -> machine.policy(next, now));
  }

  /** Changes the options of the child. */
  void treat(Supervised child, SupervisionOptions options) {
    if (kept(child) != null) {
      happened(now -> machine.treat(name(child), options, now));
      tellBudget(child);
    }
  }

  /** Gives the child the source of its restart budget. */
  private void tellBudget(Supervised child) {
    RestartWindow own = kept(child) == null ? null : machine.window(name(child));
    child.budget(own == null ? null : budget(own, time));
  }

  /** Returns the source of the budget of that window, which holds nothing else of the zone. */
  static Supplier<RestartBudget> budget(RestartWindow window, Time time) {
    return () -> window.budget(time.nanoTime());
  }

  /** Resets the child's backoff: it reports itself healthy. */
  void well(Supervised child) {
    if (kept(child) != null) {
      machine.well(name(child));
    }
  }

  void started(Supervised child) {
    Kept kept = kept(child);
    if (kept != null) {
      kept.work = child.work();
      happened(now -> machine.started(name(child), now));
    }
  }

  void elsewhere(Supervised child) {
    of(child, now -> machine.elsewhere(name(child), now));
  }

  void failed(Supervised child, Throwable cause) {
    broke(child, cause);
    of(child, now -> machine.failed(name(child), cause, now));
  }

  void failedAttempt(Supervised child, Throwable cause) {
    broke(child, cause);
    of(child, now -> machine.failedAttempt(name(child), cause, now));
  }

  private void broke(Supervised child, Throwable cause) {
    Kept kept = kept(child);
    if (kept != null) {
      kept.lastCause = cause;
    }
  }

  void interrupted(Supervised child, Throwable cause) {
    of(child, now -> machine.interrupted(name(child), cause, now));
  }

  void rests(Supervised child, String why) {
    of(child, now -> machine.rests(name(child), why, now));
  }

  void ended(Supervised child) {
    of(child, now -> machine.ended(name(child), now));
  }

  void forget(Supervised child) {
    if (kept(child) != null) {
      children.remove(name(child));
      happened(now -> machine.remove(name(child), now));
    }
  }

  /** Resumes the child; if the zone has ended, for the next life of that. */
  void resume(Supervised child) {
    if (over) {
      child.resumed();
    } else {
      of(child, now -> machine.resume(name(child), now));
    }
  }

  void restart(Supervised child) {
    of(child, now -> machine.restart(name(child), now));
  }

  /** Suspends the child; if the zone has ended, in the next life of that, too. */
  void suspend(Supervised child) {
    if (over) {
      child.rest(FailureZoneMachine.SUSPENDED, true);
    } else {
      of(child, now -> machine.suspend(name(child), now));
    }
  }

  private static String name(Supervised child) {
    return child.path().toString();
  }

  /** Reports an event of a child, and first its work; not of one that ended or is forgotten. */
  private void of(Supervised child, LongFunction<List<FailureZoneStep>> event) {
    Kept kept = kept(child);
    if (kept == null) {
      return;
    }
    if (kept.works()) {
      machine.worked(name(child));
    }
    happened(event);
  }

  /** Returns the entry of the child; null also if another one has its name by now. */
  private @Nullable Kept kept(Supervised child) {
    Kept kept = children.get(name(child));
    return kept != null && kept.child == child ? kept : null;
  }

  private void happened(LongFunction<List<FailureZoneStep>> event) {
    boolean due = takes(event);
    while (due) {
      due = takes(machine::tick);
    }
  }

  /**
   * Reports an event and carries out the steps.
   *
   * @return whether something is due already, so that no timer is needed
   */
  private boolean takes(LongFunction<List<FailureZoneStep>> event) {
    if (over) {
      return false;
    }
    long now = time.nanoTime();
    event.apply(now).forEach(this::tried);
    OptionalLong next = over ? OptionalLong.empty() : machine.wakeNs(now);
    if (next.isPresent() && next.getAsLong() - time.nanoTime() <= 0) {
      return true;
    }
    wakeAt(next, now);
    return false;
  }

  /** Carries a step out; a failure does not keep the steps behind it from being carried out. */
  private void tried(FailureZoneStep step) {
    try {
      carry(step);
    } catch (RuntimeException | Error e) {
      log.error(
          "{} of a supervisor could not be carried out",
          step.getClass().getSimpleName(),
          Causes.readable(e));
    }
  }

  private void carry(FailureZoneStep step) {
    if (step instanceof FailureZoneStep.Start start) {
      begin(start.child());
    } else if (step instanceof FailureZoneStep.Stop stop) {
      end(stop.child());
    } else if (step instanceof FailureZoneStep.Force force) {
      child(force.child()).force();
    } else if (step instanceof FailureZoneStep.Wait wait) {
      waits(wait);
    } else if (step instanceof FailureZoneStep.Retry retry) {
      retries(retry);
    } else if (step instanceof FailureZoneStep.Rest rest) {
      rests(rest);
    } else if (step instanceof FailureZoneStep.Falls falls) {
      falls(falls);
    } else if (step instanceof FailureZoneStep.Resumed resumed) {
      child(resumed.child()).resumed();
    } else if (step instanceof FailureZoneStep.Needs needs) {
      String resting = needs.resting();
      child(needs.child()).needs(resting == null ? null : child(resting).path());
    } else if (step instanceof FailureZoneStep.Done done) {
      Kept kept = children.remove(done.child());
      if (kept != null) {
        var unused = kept.child.done();
      }
    } else {
      over = over || !(step instanceof FailureZoneStep.Up);
      told.accept(step);
    }
  }

  private Supervised child(String name) {
    return known(name).child;
  }

  private Kept known(String name) {
    Kept kept = children.get(name);
    if (kept == null) {
      throw new IllegalStateException("the supervisor has no child " + name);
    }
    return kept;
  }

  private void begin(String name) {
    Supervised child = child(name);
    try {
      child.begin();
    } catch (RuntimeException | Error e) {
      log.error("{} could not be started", child.label(), Causes.readable(e));
      context.runOnContext(v -> failed(child, e));
    }
  }

  private void end(String name) {
    Supervised child = child(name);
    end(child, () -> of(child, now -> machine.stopped(name, now)));
  }

  /** Ends the life of a child; {@code then} follows unless the child was forgotten meanwhile. */
  private void end(Supervised child, Runnable then) {
    child
        .end()
        .onComplete(
            done ->
                context.runOnContext(
                    v -> {
                      if (over || kept(child) == null) {
                        child.forgottenWhileStopping();
                      } else {
                        then.run();
                      }
                    }));
  }

  /**
   * Reports that a child does not begin again by itself, so that it cancels what could begin it.
   */
  private void falls(FailureZoneStep.Falls falls) {
    Supervised child = child(falls.child());
    log.warn(
        "{} failed, and its failure zone decides what follows ({}); its mail waits: {}",
        child.label(),
        falls.decided(),
        Causes.text(falls.cause()));
    child.falls(falls.decided());
    end(child, () -> {});
  }

  private void waits(FailureZoneStep.Wait wait) {
    Kept kept = known(wait.child());
    fails(kept);
    FailureLines.Line line = kept.lines.next(wait.cause(), time.nanoTime());
    if (line.written()) {
      log.warn(
          "{} failed and is started again in {} ms; its mail waits: {}{}",
          kept.child.label(),
          wait.delay().toMillis(),
          Causes.text(wait.cause()),
          line.number() <= FailureLines.FIRST
              ? ""
              : "; failure %d since it last ran well, not all of which are logged"
                  .formatted(line.number()),
          line.stack() ? Causes.readable(wait.cause()) : null);
    }
    kept.child.willRestart(wait.delay());
  }

  /** Dates the child's streak of failures, if it begins, and gives the child its source. */
  private void fails(Kept kept) {
    Supervised child = kept.child;
    Streak streak = machine.streak(name(child));
    streak.dated(time.clock().instant());
    child.failing(() -> streak.at(kept.works(), child.supervision().resetAfter(), time.nanoTime()));
  }

  private void retries(FailureZoneStep.Retry retry) {
    Supervised child = child(retry.child());
    if (Long.bitCount(retry.times()) == 1) {
      log.warn(
          "{} was interrupted by a transient failure, {} times so far, and is retried until it runs; its mail waits:"
              + " {}",
          child.label(),
          retry.times(),
          Causes.text(retry.cause()));
    }
    child.willRestart(retry.delay());
  }

  private void rests(FailureZoneStep.Rest rest) {
    Kept kept = known(rest.child());
    Supervised child = kept.child;
    if (rest.asked()) {
      log.warn("{} was stopped by an operator; its mail waits until it is resumed", child.label());
    } else {
      log.error(
          "{} failed and is not restarted any more ({}); its mail waits. When "
              + "the cause is gone, resume it",
          child.label(),
          rest.why(),
          unseenStack(kept));
    }
    child.rest(rest.why(), rest.asked());
  }

  /**
   * Returns the cause of the failure for which the child rests, unless its stack was logged before.
   */
  private @Nullable Throwable unseenStack(Kept kept) {
    Throwable cause = kept.lastCause;
    kept.lastCause = null;
    return cause != null && kept.lines.next(cause, time.nanoTime()).stack()
        ? Causes.readable(cause)
        : null;
  }

  private void wakeAt(OptionalLong next, long now) {
    if (next.isEmpty()) {
      cancelAlarm();
    } else if (alarm == null || next.getAsLong() != alarmNs) {
      cancelAlarm();
      alarmNs = next.getAsLong();
      Duration wait = Duration.ofNanos(Math.max(1, alarmNs - now));
      alarm = time.after(context, wait, this::wake);
    }
  }

  private void wake() {
    alarm = null;
    happened(machine::tick);
  }

  private void cancelAlarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }
}
