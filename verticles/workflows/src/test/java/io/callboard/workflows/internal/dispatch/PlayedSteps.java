package io.callboard.workflows.internal.dispatch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Instance of a rehearsal: its steps wait for nothing, its record is durable. */
final class PlayedSteps {
  private static final int ATTEMPTS = 3;

  final WorkRehearsal world;
  final String id;
  final String definition;
  final Map<String, Step> steps = new TreeMap<>();

  /** Node that runs it. */
  PlayedWorker at;

  /** Epoch in which that node owns it. */
  long owner = 1;

  /** When runs were settled. */
  private final Map<StepRunKey, Long> settledAt = new HashMap<>();

  static final class Step {
    final String type;
    final Duration timeout;
    int run = 1;
    int attempt = 1;
    boolean ended;
    boolean cancels;

    /** Epoch of the desk that knows that it is cancelled; 0 for none. */
    long cancelKnown;

    /** Whether the node of its instance has requested it: it is cancelled by that node then. */
    boolean asked;

    /** Epoch of the desk that has its request; 0 for none. */
    long queued;

    /** What was requested last by the node of its instance; null for nothing. */
    @Nullable StepRequest request;

    /** Worker to which a desk has given its run, as the node of its instance was told. */
    @Nullable WorkerId given;

    long nextRequest;
    int settlements;

    Step(String type, Duration timeout) {
      this.type = type;
      this.timeout = timeout;
    }
  }

  PlayedSteps(WorkRehearsal world, String id, String definition, PlayedWorker at) {
    this.world = world;
    this.id = id;
    this.definition = definition;
    this.at = at;
  }

  /**
   * Starts on another node: what it was told in memory is forgotten. The node before may live on
   * without knowing it, and keeps what it has requested.
   */
  void moves(PlayedWorker to) {
    for (Step step : steps.values()) {
      if (at.up && step.request != null && step.request.run() == step.run && !step.ended) {
        at.kept.add(step.request);
      }
    }
    at = to;
    owner++;
    steps
        .values()
        .forEach(
            step -> {
              step.queued = 0;
              step.cancelKnown = 0;
              step.asked = false;
              step.request = null;
              step.given = null;
            });
  }

  boolean isDone() {
    return steps.values().stream().allMatch(step -> step.ended);
  }

  void pass() {
    if (!at.isInTouch() || !at.isMember()) {
      return;
    }
    steps.forEach(
        (name, step) -> {
          if (!step.ended && world.now >= step.nextRequest) {
            long desk = Math.max(1, at.knownEpoch);
            if (step.cancels && step.asked) { // each new desk is told, and is not asked for it
              if (step.cancelKnown < desk) {
                step.nextRequest = world.now + WorkRehearsal.SECOND;
                cancel(name, step);
              }
            } else if (step.queued < desk) {
              step.nextRequest = world.now + WorkRehearsal.SECOND + world.upTo(2);
              request(name, step);
            }
          }
        });
  }

  /** Returns whether a run had been settled at that time. */
  boolean wasSettled(StepRunKey key, long at) {
    return settledAt.getOrDefault(key, Long.MAX_VALUE) < at;
  }

  /** Returns whether a run is the present one of its step, and is not settled. */
  boolean isOpen(StepRunKey key) {
    Step step = steps.get(key.step());
    return step.run == key.run() && !step.ended;
  }

  StepRunKey key(String name, Step step) {
    return new StepRunKey(id, name, step.run);
  }

  private void request(String name, Step step) {
    int run = step.run;
    StepRequest request =
        new StepRequest(
            id,
            definition,
            name,
            step.attempt,
            run,
            step.type,
            world.random.nextInt(10),
            1 + definition.length() % 3,
            step.timeout,
            Instant.EPOCH,
            at.name,
            JsonNodeFactory.instance.objectNode(),
            JsonNodeFactory.instance.objectNode(),
            id + "/" + name,
            null,
            owner,
            world.saysRepeated && step.request != null && step.request.run() == run,
            step.given);
    step.request = request;
    PlayedWorker node = at;
    step.asked = true;
    world.ask(
        node,
        desk -> desk.request(request),
        answer -> {
          if (answer instanceof RequestAnswer.Queued queued && at == node) {
            node.knownEpoch = Math.max(node.knownEpoch, queued.epoch());
            if (step.run == run) {
              step.queued = Math.max(step.queued, queued.epoch());
            }
          }
        });
  }

  private void cancel(String name, Step step) {
    StepRunKey key = key(name, step);
    PlayedWorker node = at;
    world.ask(
        node,
        desk -> {
          desk.cancel(key);
          return desk.epoch();
        },
        epoch -> {
          if (at == node) {
            node.knownEpoch = Math.max(node.knownEpoch, epoch);
            if (step.run == key.run() && epoch >= node.knownEpoch) { // else that of an earlier desk
              step.cancelKnown = epoch;
            }
          }
        });
  }

  /** Notes that a desk gives a run to a worker. */
  void given(StepRunKey key, WorkerId worker) {
    Step step = steps.get(key.step());
    if (step.run == key.run()) {
      step.given = worker;
    }
  }

  /** Handles a report durably. */
  boolean done(StepRunKey key, StepOutcome outcome) {
    Step step = steps.get(key.step());
    if (step.run != key.run() || step.ended) {
      return true;
    }
    step.settlements++;
    settledAt.put(key, world.now);
    world.settled++;
    switch (outcome.kind()) {
      case SUCCEEDED -> step.ended = true;
      case CANCELLED -> {
        world.rule(step.cancels, "S1: %s is reported cancelled, and nobody cancelled it", key);
        world.cancelled++;
        step.ended = world.random.nextInt(3) > 0;
        next(step); // or its user begins it again
      }
      case FAILED, TIMEOUT -> {
        if (step.attempt == ATTEMPTS || step.cancels) {
          step.ended = true;
        } else {
          step.attempt++;
          next(step);
        }
      }
    }
    return true;
  }

  /** Handles a report of a desk durably. */
  boolean cancelled(StepRunKey key, StepOutcome outcome, long epoch) {
    Step step = steps.get(key.step());
    world.rule(
        step.run != key.run() || step.ended || !world.isAlive(key) || world.isReplaced(epoch),
        "S2: %s is reported cancelled by the desk, and is alive",
        key);
    return done(key, outcome);
  }

  /**
   * Handles a report durably. A desk that was replaced may be wrong about a run that its successor
   * has assigned again: the next run then waits until that one is over.
   */
  boolean lost(StepRunKey key, long epoch) {
    Step step = steps.get(key.step());
    if (step.run == key.run() && !step.ended) {
      world.rule(
          !world.isAlive(key) || world.isReplaced(epoch),
          "S2: %s is reported lost, and is alive",
          key);
      step.settlements++;
      settledAt.put(key, world.now);
      world.settled++;
      world.lost++;
      next(step);
    }
    return true;
  }

  private void next(Step step) {
    if (!step.ended) {
      step.run++;
      step.given = null;
      step.queued = 0;
      step.nextRequest = 0;
      step.cancels = false;
      step.cancelKnown = 0;
      step.asked = false;
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(id + " at " + at);
    steps.forEach(
        (name, step) ->
            text.append(' ')
                .append(name)
                .append('/')
                .append(step.run)
                .append(step.ended ? "." : "?")
                .append(step.queued));
    return text.toString();
  }
}
