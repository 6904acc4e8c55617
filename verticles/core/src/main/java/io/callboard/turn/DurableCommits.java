package io.callboard.turn;

import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.outbox.Ready;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.turn.TurnLoop.Handled;
import io.callboard.turn.TurnLoop.Step;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the turns of one life of a durable actor durable, lets out what waits for that, and tells
 * the {@link TurnLoop} what came of it. Every method is called on the durable context.
 */
final class DurableCommits {
  private static final Logger log = LoggerFactory.getLogger(DurableCommits.class);

  private final CallboardRuntime runtime;
  private final DurableTurns.Owner owner;
  private final TurnLoop loop;
  private final UnitBuilder units;
  private final History history;
  private final Incarnation incarnation;
  private final Runnable goOn;
  private boolean over;
  private @Nullable Promise<Void> underWay;

  /**
   * @param goOn called when the loop has something new to decide
   */
  DurableCommits(
      CallboardRuntime runtime,
      DurableTurns.Owner owner,
      TurnLoop loop,
      UnitBuilder units,
      History history,
      Incarnation incarnation,
      Runnable goOn) {
    this.runtime = runtime;
    this.owner = owner;
    this.loop = loop;
    this.units = units;
    this.history = history;
    this.incarnation = incarnation;
    this.goOn = goOn;
  }

  /** This life ends: what is still under way concerns the loop no more. */
  void end() {
    over = true;
  }

  /** Completes when no commit of this life is under way. */
  Future<Void> settled() {
    return underWay == null ? Future.succeededFuture() : underWay.future();
  }

  /** As {@link Step.CommitTurns}. */
  void turns(Step.CommitTurns step) {
    List<Handled> turns = step.all();
    if (turns.stream().allMatch(h -> h.input() == null && h.turn().changesNothing())) {
      loop.nothingToCommit();
      left(turns, Map.of());
      goOn.run();
      return;
    }
    boolean persistent = incarnation.actor() instanceof PersistentActor;
    CommitUnit unit;
    try {
      unit =
          units.turns(loop.record(), loop.version(), owner.lease(), turns, persistent, last(turns));
    } catch (CodecException e) {
      loop.refused();
      owner.crashed(e);
      return;
    }
    submit(unit, step, () -> left(step.turns(), unit.outgoing()));
  }

  private static @Nullable Object last(List<Handled> turns) {
    for (int i = turns.size() - 1; i >= 0; i--) {
      if (turns.get(i).turn().state() != null) {
        return turns.get(i).turn().state();
      }
    }
    return null;
  }

  private void left(List<Handled> turns, Map<ActorPath, List<Envelope>> outgoing) {
    List<Runnable> effects = new ArrayList<>();
    for (Handled handled : turns) {
      history.handled();
      handled.turn().leaving().forEach(Runnable::run);
      effects.addAll(handled.turn().effects());
    }
    if (!effects.isEmpty()) {
      incarnation.run(() -> effects.forEach(incarnation::effect));
    }
    runtime.counters().handled.add(turns.size());
    outgoing.values().forEach(envelopes -> runtime.counters().sent.add(envelopes.size()));
  }

  /** As {@link Step.Park}. */
  void park(Step.Park park) {
    CommitUnit unit =
        units.park(
            loop.record(),
            loop.version(),
            owner.lease(),
            park.input(),
            park.cause(),
            park.attempts());
    log.error(
        "message {} of {} is parked after {} attempts: {}",
        park.input().id(),
        path(),
        park.attempts(),
        String.valueOf(park.cause()));
    submit(unit, null, () -> runtime.counters().parked.increment());
  }

  /**
   * @param step null for a parked message
   */
  private void submit(CommitUnit unit, Step.@Nullable CommitTurns step, Runnable committed) {
    Promise<Void> settled = Promise.promise();
    underWay = settled;
    runtime.submit(
        new Ready(
            unit,
            Optional.of(owner.lease()),
            true,
            result -> {
              underWay = null;
              if (result instanceof Ready.Result.Committed) {
                runtime.counters().turns.increment();
                committed.run();
              }
              follow(result, unit, step);
              settled.complete();
            }));
  }

  private void follow(Ready.Result result, CommitUnit unit, Step.@Nullable CommitTurns step) {
    if (result instanceof Ready.Result.Failed failed) {
      refused(failed, step);
    } else if (over || result instanceof Ready.Result.Unknown) {
      if (step != null) {
        loop.landed(step, new IllegalStateException(path() + " ended before it handled this"));
      }
    } else if (unit.write().isPresent()) {
      committed(unit.write().get().record());
    }
  }

  private void committed(ActorRecord written) {
    units.committed(written);
    Throwable behind = loop.committed(written);
    if (behind != null) {
      owner.crashed(behind);
    } else {
      goOn.run();
    }
  }

  private void refused(Ready.Result.Failed failed, Step.@Nullable CommitTurns step) {
    Throwable cause =
        new IllegalStateException(
            "a turn of %s was not committed, %s: %s"
                .formatted(path(), failed.reason(), failed.detail()));
    if (step != null) {
      loop.notCommitted(step, cause);
    }
    if (over) {
      return;
    }
    if (failed.reason() == Reason.FENCED) {
      log.info("{} is owned by another node now", path());
      runtime.ownership().lost(path());
      return;
    }
    if (failed.reason() == Reason.TOO_LARGE) {
      loop.refused();
    }
    owner.crashed(cause);
  }

  private ActorPath path() {
    return owner.self().path();
  }
}
