package io.callboard.internal.supervisor;

import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.ChildRest;
import io.callboard.internal.failurezone.FailureZoneStep;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runner of a failure zone over all its lives, as a child of the zone above. Each life is a {@link
 * FailureZoneVerticle} below that of the zone above. Thread-safe.
 */
public final class FailureZoneRunner extends FailureZoneSupervisor implements Supervised {
  private final Vertx vertx;
  private final DeploymentOptions deployment;
  private final RootSupervisor root;
  private final Supervisor above;
  private volatile SupervisionOptions options;
  private final Consumer<FailureZoneRunner> ended;
  private final FailureZoneHistory history;

  private final Promise<Void> firstUp = Promise.promise();
  private @Nullable Promise<Void> ending;
  private @Nullable Promise<Void> closed;

  /** Completes when the end of the last life has been reported. */
  private Future<Void> reported = Future.succeededFuture();

  private volatile boolean isForgotten;

  /**
   * Held while children are notified of a rest or its end, so that the last notice says what is the
   * case. Zones within follow; nothing that is locked there notifies a zone above.
   */
  private final Object notices = new Object();

  /**
   * @param deployment options of its supervisor verticles
   * @param ended called when the zone has ended for good
   */
  public FailureZoneRunner(
      Vertx vertx,
      DeploymentOptions deployment,
      RootSupervisor root,
      Supervisor above,
      ActorPath path,
      String node,
      FailureZone policy,
      SupervisionOptions options,
      Consumer<FailureZoneRunner> ended) {
    super(path, policy);
    this.vertx = vertx;
    this.deployment = deployment;
    this.root = root;
    this.above = above;
    this.history = new FailureZoneHistory(root.time().clock(), node);
    this.options = options;
    this.ended = ended;
  }

  /** Completes when the zone runs for the first time; fails if it never does. */
  public Future<Void> firstUp() {
    return firstUp.future();
  }

  public Supervisor above() {
    return above;
  }

  /**
   * Returns the outermost zone, or sibling that one needs, that must be resumed before anything of
   * this zone can run; null if nothing rests.
   */
  @Override
  public synchronized @Nullable ActorPath resting() {
    return history.resting(path);
  }

  /**
   * Returns the outermost zone from here that has no life now: it waits for its backoff, or ends;
   * null if this one takes commands for its children.
   */
  public @Nullable ActorPath absent() {
    ActorPath outer = above instanceof FailureZoneRunner zone ? zone.absent() : null;
    if (outer != null) {
      return outer;
    }
    synchronized (this) {
      return life == null || !life.hasBegun() || ending != null ? path : null;
    }
  }

  // As a child of the zone above; on its context.

  @Override
  public String label() {
    return "failure zone " + path;
  }

  @Override
  public SupervisionOptions supervision() {
    return options;
  }

  @Override
  public void supervision(SupervisionOptions other) {
    options = other;
    above.treat(this);
  }

  /** Sets the budget of a new life. */
  void counts(Supplier<RestartBudget> reads) {
    history.budget(reads);
  }

  @Override
  public void budget(@Nullable Supplier<RestartBudget> reads) {
    history.ownBudget(reads);
  }

  @Override
  public void failing(@Nullable Supplier<@Nullable FailureStreak> reads) {
    history.failing(reads);
  }

  @Override
  public void begin() {
    FailureZoneVerticle next = new FailureZoneVerticle(this, root);
    boolean again;
    synchronized (this) {
      if (closed != null) {
        return;
      }
      life = next;
      again = history.begins();
    }
    tellResting();
    if (again) {
      above.restarted(this);
    }
    vertx
        .deployVerticle(next, deployment)
        .onComplete(next.deployed())
        .onFailure(cause -> gone(next, new FailureZoneStep.Escalate(cause)));
  }

  @Override
  public Future<Void> end() {
    FailureZoneVerticle now;
    Promise<Void> promise;
    synchronized (this) {
      now = life;
      if (now == null) {
        return reported; // before that, whoever begins it again would see the new life fail
      }
      promise = ending == null ? Promise.promise() : ending;
      ending = promise;
      history.is(State.STOPPING);
    }
    now.end(false);
    return promise.future();
  }

  @Override
  public void force() {
    FailureZoneVerticle ends;
    synchronized (this) {
      ends = ending == null ? null : life;
    }
    if (ends != null) {
      ends.end(true);
    }
  }

  @Override
  public void forgottenWhileStopping() {
    // a zone is forgotten only when it has ended for good
  }

  @Override
  public synchronized void willRestart(Duration delay) {
    history.waits(delay);
  }

  @Override
  public void rest(String why, boolean asked) {
    boolean isDown;
    synchronized (this) {
      history.rest(new ChildRest(why, asked));
      isDown = life == null; // else when nothing of it is left: those that need it stop before it
    }
    history.decided(Directive.PARK);
    if (isDown) {
      tellResting();
    }
  }

  @Override
  public synchronized @Nullable ChildRest rests() {
    return history.rest();
  }

  @Override
  public void resumed() {
    synchronized (this) {
      history.rest(null);
    }
    tellResting();
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    boolean tells;
    synchronized (this) {
      history.needs(resting);
      tells = resting == null || life == null; // else when nothing of it is left
    }
    if (tells) {
      tellResting();
    }
  }

  @Override
  public synchronized @Nullable ActorPath needs() {
    return history.needs();
  }

  /**
   * Reports to the children and to readers of the status what a zone that is down waits for: a rest
   * to the children first, its end to readers first, so that no child of a zone that is shown to
   * rest is shown to wait for its start. The end of a life is reported on another thread than the
   * rest.
   */
  private void tellResting() {
    synchronized (notices) {
      ActorPath resting = resting();
      if (resting == null) {
        showDown(null);
      }
      children().forEach(child -> child.needs(resting));
      if (resting != null) {
        showDown(resting);
      }
    }
  }

  @Override
  void tellResting(Supervised child) {
    if (downFor() == null) {
      return; // what follows is reported to this child, too
    }
    synchronized (notices) {
      ActorPath resting = downFor();
      if (resting != null) {
        child.needs(resting);
      }
    }
  }

  /** Returns what must be resumed first; null if nothing must, or while there is a life. */
  private synchronized @Nullable ActorPath downFor() {
    return life == null ? resting() : null;
  }

  /**
   * @param resting reported to the children; if it is another one by now, that is reported next
   */
  private synchronized void showDown(@Nullable ActorPath resting) {
    if (life == null && closed == null && Objects.equals(resting, resting())) {
      history.isDown();
    }
  }

  @Override
  public void falls(Directive decided) {
    history.decided(decided);
  }

  /** Returns the failure for which this zone, or one above, was given up; null if none was. */
  public @Nullable Failure endedBy() {
    Failure own = fatal();
    return own == null && above instanceof FailureZoneRunner zone ? zone.endedBy() : own;
  }

  /** Returns the failure for which the zone rests; null if an operator made it rest. */
  public @Nullable Failure restsBy() {
    ChildRest now = rests();
    return now == null || now.asked() ? null : fatal();
  }

  private synchronized @Nullable Failure fatal() {
    return history.fatal();
  }

  /**
   * Returns the failures of the zone as a whole, oldest first; the last {@value FailureRing#MOST}.
   */
  public List<Failure> failures() {
    return history.failures();
  }

  /** Ends the zone and its children for good, the children in the reverse order of their starts. */
  @Override
  public Future<Void> done() {
    Promise<Void> promise;
    synchronized (this) {
      if (closed != null) {
        return closed.future();
      }
      promise = Promise.promise();
      closed = promise;
    }
    history.decided(Directive.STOP);
    end()
        .compose(v -> closeChildren())
        .onComplete(
            done -> {
              closed();
              promise.complete();
            });
    return promise.future();
  }

  private void closed() {
    isForgotten = true;
    above.forget(this);
    ended.accept(this);
    boolean unused =
        firstUp.tryFail(
            new IllegalStateException(label() + " ended before all its children had started"));
  }

  @Override
  public boolean becomesKnown() {
    return !isForgotten;
  }

  @Override
  public long work() {
    return children().stream().mapToLong(Supervised::work).sum();
  }

  @Override
  public boolean escalates(Throwable cause) {
    return false;
  }

  // Events of a life.

  void up(FailureZoneVerticle of) {
    synchronized (this) {
      if (life != of || ending != null) {
        return;
      }
      history.is(State.RUNNING);
    }
    firstUp.tryComplete();
    above.started(this);
  }

  /** Handles the end of a life, of which nothing is left. */
  void gone(FailureZoneVerticle was, FailureZoneStep how) {
    Promise<Void> done = Promise.promise();
    Promise<Void> asked;
    synchronized (this) {
      if (life != was) {
        return;
      }
      life = null;
      reported = done.future();
      asked = ending;
      ending = null;
      if (how instanceof FailureZoneStep.Escalate escalate) {
        history.failed(escalate.cause());
      } else if (how instanceof FailureZoneStep.RestAll rests) {
        history.failed(rests.asCause());
      }
    }
    try {
      tellResting();
      report(asked, how);
    } finally {
      done.complete();
    }
  }

  /**
   * Reports the end of a life to the zone above.
   *
   * @param asked completed instead if that wanted it
   */
  private void report(@Nullable Promise<Void> asked, FailureZoneStep how) {
    if (asked != null) {
      asked.complete();
    } else if (root.isStopping() || ((VertxInternal) vertx).closeFuture().isClosed()) {
      return; // its node closes, and ends it for good
    } else if (how instanceof FailureZoneStep.Escalate escalate) {
      above.failed(this, escalate.cause());
    } else if (how instanceof FailureZoneStep.RestAll rests) {
      above.failedForGood(this, rests.asCause());
    } else {
      above.ended(this);
    }
  }

  /** Status of the zone. */
  public synchronized FailureZoneStatus status() {
    return history.status(this);
  }
}
