package io.callboard.turn;

import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Envelope;
import io.callboard.outbox.Ready.Result;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.turn.TurnLoop.Handled;
import io.callboard.turn.TurnLoop.Step;
import io.vertx.core.Future;
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
  private final Dispatcher dispatcher;
  private final Runnable goOn;
  private boolean over;

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
      Dispatcher dispatcher,
      Runnable goOn) {
    this.runtime = runtime;
    this.owner = owner;
    this.loop = loop;
    this.units = units;
    this.history = history;
    this.incarnation = incarnation;
    this.dispatcher = dispatcher;
    this.goOn = goOn;
  }

  /** This life ends: what is still under way concerns the loop no more. */
  void end() {
    over = true;
    dispatcher.end();
  }

  /** As {@link Step.CommitTurns}. */
  void turns(List<Handled> turns) {
    boolean nothing = turns.stream().allMatch(h -> h.input() == null && h.turn().changesNothing());
    if (nothing && !turns.isEmpty()) {
      loop.nothingToCommit();
      left(turns, Map.of());
      goOn.run();
      return;
    }
    List<Turn> done = turns.stream().map(Handled::turn).toList();
    Future<Void> written = runtime.largeBodies().write(done);
    if (written.succeeded()) {
      commitWritten(turns);
      return;
    }
    written.onComplete(
        end -> {
          if (end.succeeded() && !over) {
            commitWritten(turns);
          } else if (end.succeeded()) {
            runtime.largeBodies().forsake(done);
          } else if (!over) {
            owner.crashed(end.cause());
          }
        });
  }

  private void commitWritten(List<Handled> turns) {
    List<Turn> done = turns.stream().map(Handled::turn).toList();
    boolean persistent = incarnation.actor() instanceof PersistentActor;
    CommitUnit unit;
    try {
      unit =
          units.turns(
              loop.record(),
              loop.version(),
              owner.lease(),
              turns,
              persistent,
              last(turns),
              loop.header());
    } catch (CodecException e) {
      runtime.largeBodies().forsake(done);
      loop.refused();
      owner.crashed(e);
      return;
    }
    int own = unit.outgoing().getOrDefault(path(), List.of()).size();
    if (!loop.takesOwn(own)) {
      runtime.largeBodies().forsake(done);
      refused(CallboardException.mailboxFull(path()));
      return;
    }
    submit(unit, () -> left(turns, unit.outgoing()));
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
            park.attempts(),
            loop.header());
    log.error(
        "message {} of {} is parked after {} attempts: {}",
        park.input().id(),
        path(),
        park.attempts(),
        String.valueOf(park.cause()));
    submit(unit, () -> runtime.counters().parked.increment());
  }

  private void submit(CommitUnit unit, Runnable committed) {
    dispatcher.post(
        unit,
        new Dispatcher.Listener(
            () -> {
              runtime.counters().turns.increment();
              committed.run();
              if (!over && unit.write().isPresent()) {
                committed(unit.write().get().record());
              }
            },
            (result, full) -> failed(unit, result, full)));
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

  private void failed(CommitUnit unit, Result result, Optional<ActorPath> full) {
    unit.outgoing()
        .forEach((to, mail) -> mail.forEach(each -> runtime.largeBodies().forsake(to, each)));
    if (full.isPresent()) {
      refused(CallboardException.mailboxFull(full.get()));
    } else if (result instanceof Result.Failed failed && failed.reason() == Reason.FENCED) {
      log.info("{} is owned by another node now", path());
      runtime.ownership().lost(path());
    } else if (result instanceof Result.Failed failed) {
      if (failed.reason() == Reason.TOO_LARGE) {
        loop.refused();
      }
      owner.crashed(
          new IllegalStateException(
              "a turn of %s was not committed, %s: %s"
                  .formatted(path(), failed.reason(), failed.detail())));
    }
  }

  /** The turns cannot be committed as they are. */
  private void refused(CallboardException cause) {
    runtime.counters().failed.increment();
    history.failed(cause);
    loop.refused();
    owner.crashed(cause);
  }

  private ActorPath path() {
    return owner.self().path();
  }
}
