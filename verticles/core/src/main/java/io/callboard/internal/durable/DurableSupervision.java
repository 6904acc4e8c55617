package io.callboard.internal.durable;

import io.callboard.CallboardException;
import io.callboard.admin.ActorStatus.State;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.internal.lifecycle.ActorHistory;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.ownership.RunConditions;
import io.callboard.internal.recovery.StopMark;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.store.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervised half of a durable actor's runner: carries out on its lives what its supervisor and
 * operators decide. A failure zone decides also while another node owns the actor; that decision
 * applies when this node owns it again.
 *
 * <p>Decisions ({@link #begin}, {@link #hold}, {@link #rest}, {@link #lift}, {@link #end}, {@link
 * #beginUnsupervised}, {@link #done}) may come on any thread; each is carried out on the durable
 * context, which owns all state, in the order of its calls. The other methods are called on the
 * durable context.
 */
final class DurableSupervision {
  private static final Logger log = LoggerFactory.getLogger(DurableSupervision.class);

  private final DurableEnvironment environment;
  private final ActorRunner runner;
  private final ActorHistory history;
  private final RunConditions conditions;
  private final DurableLives lives;
  private final StopMark stop;
  private boolean began;

  DurableSupervision(
      DurableEnvironment environment,
      ActorRunner runner,
      RunConditions conditions,
      DurableLives lives,
      StopMark stop) {
    this.environment = environment;
    this.runner = runner;
    this.history = runner.history();
    this.conditions = conditions;
    this.lives = lives;
    this.stop = stop;
    this.began = !conditions.isHeld();
  }

  private NodeContext node() {
    return environment.node();
  }

  private Supervisor supervisor() {
    return runner.supervisor();
  }

  /** Begins a life, if this node owns the actor; if not, wants its partition owned by some node. */
  void begin() {
    history.isWanted(); // at once: a rest may be decided before the context is free
    node().onDurableContext(this::beginHere);
  }

  private void beginHere() {
    conditions.hold(false);
    boolean again = began;
    began = true;
    if (conditions.isStopped()) {
      return;
    } else if (!conditions.isOwned()) {
      environment.ownership().get().want(runner.path()).onFailure(NodeContext::reportedElsewhere);
      supervisor().started(runner); // over there, or as soon as it is owned
    } else if (lives.isUp()) {
      supervisor().started(runner); // it was owned again meanwhile, and began
    } else {
      if (again) {
        history.restarted();
      }
      lives.activate();
    }
  }

  /**
   * Keeps the actor down.
   *
   * @param asked whether an operator wants that: it is stored then
   */
  void rest(boolean asked) {
    hold();
    if (asked) {
      node()
          .onDurableContext(
              () -> {
                stop.lower();
                storeStop();
              });
    }
  }

  /** Keeps the actor down, also when its partition is owned again. */
  void hold() {
    node().onDurableContext(this::holdUnlessResumed);
  }

  private void holdUnlessResumed() {
    if (history.rest() == null && history.needs() == null) {
      return; // resumed, or forgotten with its partition, meanwhile
    }
    holdHere();
    if (!conditions.isOwned() && history.rest() != null && runsElsewhere()) {
      forgetRest(); // it was decided while the partition was lost
    } else if (conditions.isHeld()) {
      environment.actors().groups().left(runner.path()); // it may have begun until now
      if (!lives.isUp() && conditions.isOwned()) {
        history.isDown(); // nor does what is being read begin
      }
    }
  }

  private boolean runsElsewhere() {
    return environment.ownership().get().elsewhere(runner.path()).isPresent();
  }

  private void forgetRest() {
    if (isSuspended()) {
      log.warn(
          "{} was stopped while another node took it over: it runs there; stop it again",
          runner.label());
    }
    restsNoMoreHere();
  }

  /** A root's decision says nothing of another node's actor; a failure zone's does. */
  private void holdHere() {
    conditions.hold(runner.isInZone() || conditions.isOwned());
  }

  /** Allows the next life to begin although an operator had stopped the actor. */
  void lift() {
    node().onDurableContext(stop::lift);
  }

  /** Ends the present life or start. Completes when nothing of it is left; never fails. */
  Future<Void> end() {
    return node().fromDurableContext(Promise.promise(), this::endHere);
  }

  private Future<Void> endHere() {
    if (conditions.isStopped()) {
      return lives.gone();
    }
    holdHere();
    CallboardException why = runner.stoppedCause();
    lives.interrupt(why);
    if (conditions.isOwned()) {
      history.isDown();
    }
    Future<Void> ended = lives.end();
    storeStop();
    return ended;
  }

  /**
   * Begins again after a stop whose supervisor forgot the actor with its partition, which this node
   * has regained since. An actor in a zone is begun by its zone.
   */
  void beginUnsupervised() {
    node()
        .onDurableContext(
            () -> {
              boolean isFree = history.rest() == null && history.needs() == null;
              boolean isOurs = !runner.isInZone() && conditions.isOwned() && !node().isClosing();
              if (isOurs && isFree && !lives.isUp() && !conditions.isStopped()) {
                conditions.hold(false);
                lives.activate();
              }
            });
  }

  /** Ends the actor for good. Completes when nothing of it is left. */
  Future<Void> done() {
    return node()
        .fromDurableContext(
            Promise.promise(),
            () ->
                conditions.isStopped()
                    ? lives.gone()
                    : environment.actors().host().end(runner.path()));
  }

  /** Returns whether an operator has stopped the actor. Any thread. */
  boolean isSuspended() {
    ChildRest rest = history.rest();
    return rest != null && rest.asked();
  }

  /** Suspends an actor that was stopped while nobody owned it, now that this node does. */
  void suspend() {
    conditions.hold(true);
    history.isDown();
    storeStop();
    supervisor().suspend(runner);
  }

  /**
   * Stores an operator's stop, once nothing of the actor is left here, so that it holds for the
   * next owner, too.
   */
  private void storeStop() {
    Lease owned = conditions.lease();
    if (owned != null && !lives.isUp() && isToStop()) {
      lives.beforeNext(
          () -> stop.store(owned, () -> owned.equals(conditions.lease()), this::isToStop));
    }
  }

  private boolean isToStop() {
    return isSuspended() && !conditions.isStopped();
  }

  /** Adjusts what is decided to another node's ownership of the actor. */
  void disowned() {
    if (!runner.isInZone()) {
      conditions.hold(false);
      history.isWanted();
      supervisor().forget(runner);
    } else if (!conditions.isHeld() || history.rest() != null) {
      restsNoMoreHere();
    }
  }

  /** Forgets what it rested for, which is its owner's on another node; a stop is in its record. */
  private void restsNoMoreHere() {
    history.isWanted();
    history.is(State.ELSEWHERE);
    conditions.hold(history.needs() != null);
    supervisor().elsewhere(runner);
  }
}
