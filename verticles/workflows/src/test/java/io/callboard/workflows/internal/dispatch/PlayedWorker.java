package io.callboard.workflows.internal.dispatch;

import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Node of a rehearsal, one boot of it: its session, its clock, and a worker whose machine is real
 * and whose handlers are played.
 */
final class PlayedWorker {
  static final long SESSION = 10 * WorkRehearsal.SECOND;
  static final int SLOTS = 2;
  static final int ZONE_SLOTS = 1;

  final WorkRehearsal world;
  final String name;
  final String boot;
  final long clock;
  WorkerMachine machine;

  /** Attempts that are alive, with the time at which they end by themselves. */
  final Map<StepRunKey, Attempt> attempts = new HashMap<>();

  /** Attempts that were stopped and are not over yet: what they do does not count. */
  final Map<StepRunKey, Attempt> stopped = new HashMap<>();

  /** Runs that have ended, of which it does not know yet that their instances know it. */
  final Set<StepRunKey> results = new HashSet<>();

  /** What it requests of desks for instances that others own by now. */
  final KeptRequests kept = new KeptRequests(this);

  private int lives;
  boolean up = true;
  long frozenUntil;
  long cutUntil;
  long lastContact;

  /** Epoch of the desk, as the instances of this node know it. */
  long knownEpoch;

  private final Set<String> types;

  static final class Attempt {
    final StepRequest request;
    final @Nullable String zone;
    long endsAt;
    StepOutcome outcome;

    /** When it gets a thread of its zone, or is given back; 0 if it has one. */
    long threadAt;

    Attempt(StepRequest request, @Nullable String zone, long endsAt, StepOutcome outcome) {
      this.request = request;
      this.zone = zone;
      this.endsAt = endsAt;
      this.outcome = outcome;
    }
  }

  PlayedWorker(WorkRehearsal world, String name, int boot, Set<String> types) {
    this.world = world;
    this.name = name;
    this.boot = name + "-b" + boot;
    this.clock = world.random.nextLong(1_000_000 * WorkRehearsal.SECOND);
    this.types = types;
    this.lastContact = world.now;
    restart();
  }

  /** Begins another life of the worker, as its supervisor does. */
  void restart() {
    attempts.clear();
    stopped.clear();
    results.clear();
    boolean first = lives == 0;
    machine = world.newWorker(name, boot, () -> ++lives, first ? 0 : machine.epoch());
    machine.offer(types, SLOTS, false, zones());
    if (!first) {
      machine.sessionLives(clock + lastContact + SESSION, time());
    }
  }

  /** On one of the nodes a handler has a zone of its own. */
  private List<ZoneSlots> zones() {
    String zoned = "handler:ocr@2";
    return name.equals("n1") && types.contains(zoned)
        ? List.of(new ZoneSlots("scan", ZONE_SLOTS, Set.of(zoned), null))
        : List.of();
  }

  long time() {
    return clock + world.now;
  }

  boolean isFrozen() {
    return world.now < frozenUntil;
  }

  boolean isCut() {
    return world.now < cutUntil;
  }

  boolean isActive() {
    return up && !isFrozen();
  }

  boolean isInTouch() {
    return isActive() && !isCut();
  }

  /** Returns whether the cell takes it for a member. */
  boolean isMember() {
    return world.now < lastContact + SESSION;
  }

  /** A moment of its life: what is due, first of all its session. */
  void pass() {
    if (!isActive()) {
      return;
    }
    machine.tick(time());
    carryOut();
    if (!isCut()) {
      lastContact = world.now;
      machine.sessionLives(time() + SESSION, time());
    }
    for (Attempt attempt : List.copyOf(attempts.values())) {
      if (attempt.threadAt > 0) {
        waits(attempt);
      } else if (world.now >= attempt.endsAt) {
        over(attempt);
      }
    }
    for (Attempt attempt : List.copyOf(stopped.values())) {
      if (world.now >= attempt.endsAt) {
        stopped.remove(attempt.request.key());
        machine.over(attempt.request.key(), attempt.outcome, time());
      }
    }
    carryOut();
  }

  /** One of two gets a thread in the end. */
  private void waits(Attempt attempt) {
    if (world.now < attempt.threadAt) {
      machine.waits(attempt.request.key(), "it waits for a thread");
    } else if (world.random.nextBoolean()) {
      attempt.threadAt = 0;
      machine.begun(attempt.request.key(), attempt.zone);
    } else {
      notBegun(attempt);
    }
  }

  private void notBegun(Attempt attempt) {
    world.notBegun(attempt.request.key());
    attempts.remove(attempt.request.key());
    machine.notBegun(attempt.request.key(), attempt.zone, "its zone has no thread", time());
  }

  void orders(WorkerCommand.Orders orders) {
    machine.orders(orders, time());
    carryOut();
  }

  void deskStarted(long epoch) {
    machine.deskStarted(epoch);
    carryOut();
  }

  private void over(Attempt attempt) {
    attempts.remove(attempt.request.key());
    machine.over(attempt.request.key(), attempt.outcome, time());
  }

  private void carryOut() {
    List<WorkerEffect> effects = machine.effects();
    while (!effects.isEmpty()) {
      effects.forEach(this::carryOut);
      effects = machine.effects();
    }
    machine.news().ifPresent(news -> world.toDesk(this, news));
  }

  private void carryOut(WorkerEffect effect) {
    if (effect instanceof WorkerEffect.Begin begin) {
      begin(begin.request(), begin.zone());
    } else if (effect instanceof WorkerEffect.Ask ask) {
      WorkerMachine of = machine;
      world.askInstance(
          this,
          ask.key(),
          open -> {
            if (machine == of) {
              machine.asked(ask.key(), open, time());
              carryOut();
            }
          });
    } else if (effect instanceof WorkerEffect.Cancel cancel) {
      Attempt attempt = attempts.get(cancel.key());
      if (attempt != null && attempt.threadAt > 0) {
        notBegun(attempt);
      } else if (attempt != null && world.random.nextInt(3) > 0) { // else it does not listen
        attempt.endsAt = Math.min(attempt.endsAt, world.now + world.upTo(3));
        attempt.outcome = StepOutcome.cancelled("cancelled");
      }
    } else if (effect instanceof WorkerEffect.Stop stop) {
      Attempt attempt = attempts.get(stop.key());
      if (attempt != null) {
        stop(attempt);
      }
    } else if (effect instanceof WorkerEffect.Report report) {
      WorkerMachine of = machine;
      StepRunKey key = report.request().key();
      results.add(key);
      world.report(
          this,
          key,
          instance -> instance.done(key, report.outcome()),
          durable -> {
            if (machine == of) {
              if (durable) {
                results.remove(key);
              }
              machine.reported(key, durable, time());
              carryOut();
            }
          });
    }
  }

  /** Its actor is stopped at once, or when its thread is free. */
  private void stop(Attempt attempt) {
    attempt.outcome = StepOutcome.cancelled("stopped");
    if (world.random.nextBoolean()) {
      over(attempt);
    } else {
      attempts.remove(attempt.request.key());
      attempt.endsAt = world.now + world.upTo(30);
      stopped.put(attempt.request.key(), attempt);
    }
  }

  private void begin(StepRequest request, @Nullable String zone) {
    if (world.random.nextInt(30) == 0) {
      machine.notBegun(request.key(), zone, "its zone has no thread", time());
      return;
    }
    world.begins(this, request);
    long lasts = world.upTo(world.random.nextInt(6) == 0 ? 20 : 4);
    StepOutcome outcome =
        world.random.nextInt(5) == 0 ? StepOutcome.failed("no luck") : StepOutcome.succeeded(null);
    Attempt attempt = new Attempt(request, zone, world.now + lasts, outcome);
    attempts.put(request.key(), attempt);
    if (world.random.nextInt(8) == 0) {
      attempt.threadAt = world.now + world.upTo(4);
    } else {
      machine.begun(request.key(), zone);
    }
  }

  @Override
  public String toString() {
    return boot;
  }
}
