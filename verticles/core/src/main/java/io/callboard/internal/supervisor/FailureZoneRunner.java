package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.supervision.UndeployedException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A failure zone over all its lives: which children it has, and who is told what of them. Each life
 * is a {@link FailureZoneVerticle} below that of the zone above. Thread-safe.
 */
public final class FailureZoneRunner implements Supervised, Supervisor {
  private final Vertx vertx;
  private final DeploymentOptions deployment;
  private final RootSupervisor root;
  private final Supervisor above;
  private final ActorPath path;
  private final String node;
  private volatile FailureZone policy;
  private volatile SupervisionOptions options;
  private final Consumer<FailureZoneRunner> ended;

  /** What is left of the restarts in it. */
  private volatile @Nullable Supplier<RestartBudget> counts;

  /** What is left of its own, in the zone above. */
  private volatile @Nullable Supplier<RestartBudget> ownCounts;

  private final Map<ActorPath, Supervised> children = new LinkedHashMap<>();
  private final Promise<Void> firstUp = Promise.promise();
  private @Nullable FailureZoneVerticle life;
  private @Nullable Promise<Void> ending;
  private @Nullable Promise<Void> closed;
  private boolean isOver;
  private volatile boolean isForgotten;
  private State state = State.STARTING;
  private int begun;

  /** What it is when nothing of it is left. */
  private @Nullable Rest rest;

  private @Nullable ActorPath needs;

  private final FailureRing failures = new FailureRing();
  private final LongAdder childFailures = new LongAdder();
  private final LongAdder childRestarts = new LongAdder();
  private @Nullable Instant nextAttempt;

  /**
   * @param deployment of its supervisors
   * @param ended told when it is over for good
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
    this.vertx = vertx;
    this.deployment = deployment;
    this.root = root;
    this.above = above;
    this.path = path;
    this.node = node;
    this.policy = policy;
    this.options = options;
    this.ended = ended;
  }

  /** The policy that counts now, and for its next life. Any thread. */
  public FailureZone policy() {
    return policy;
  }

  /** It has that policy from now on; its children run on. Any thread. */
  public void policy(FailureZone next) {
    policy = next;
    tell(
        failureZoneDriver -> failureZoneDriver.policy(policy)); // of several the last, in each life
  }

  /** Completes when it runs for the first time; fails if it never does. */
  public Future<Void> firstUp() {
    return firstUp.future();
  }

  public Supervisor above() {
    return above;
  }

  /**
   * What must be resumed before anything of this one can run, the outermost: a zone, or a sibling
   * that one needs; null if nothing rests.
   */
  public synchronized @Nullable ActorPath resting() {
    return needs != null ? needs : rest == null ? null : path;
  }

  /**
   * The outermost zone from here that is not there now: it waits for its backoff, or ends; null if
   * this one takes commands for its children.
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
  public ActorPath path() {
    return path;
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

  /** A new life of it counts there. */
  void counts(Supplier<RestartBudget> reads) {
    counts = reads;
  }

  @Override
  public void budget(@Nullable Supplier<RestartBudget> reads) {
    ownCounts = reads;
  }

  @Override
  public void well(Supervised child) {
    tell(failureZoneDriver -> failureZoneDriver.well(child));
  }

  @Override
  public void treat(Supervised child) {
    tell(failureZoneDriver -> failureZoneDriver.treat(child, child.supervision()));
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
      again = begun > 0;
      begun++;
      rest = null;
      needs = null;
      is(State.STARTING);
    }
    children().forEach(child -> child.needs(null));
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
        return Future.succeededFuture();
      }
      promise = ending == null ? Promise.promise() : ending;
      ending = promise;
      is(State.STOPPING);
    }
    now.end();
    return promise.future();
  }

  @Override
  public synchronized void willRestart(Duration delay) {
    is(State.WAITS);
    nextAttempt = root.time().clock().instant().plus(delay);
    failures.decided(Directive.RESTART, delay);
  }

  @Override
  public void rest(String why, boolean asked) {
    boolean isDown;
    synchronized (this) {
      rest = new Rest(why, asked);
      isDown = life == null; // else when nothing of it is left: those that need it stop before it
    }
    failures.decided(Directive.PARK, null);
    if (isDown) {
      tellResting();
    }
  }

  @Override
  public synchronized @Nullable Rest rests() {
    return rest;
  }

  @Override
  public void resumed() {
    synchronized (this) {
      rest = null;
    }
    tellResting();
  }

  @Override
  public void needs(@Nullable ActorPath resting) {
    synchronized (this) {
      needs = resting;
    }
    tellResting();
  }

  @Override
  public synchronized @Nullable ActorPath needs() {
    return needs;
  }

  /** Nothing of it runs: its children, then whoever looks at it, see what it waits for. */
  private void tellResting() {
    ActorPath resting = resting();
    children().forEach(child -> child.needs(resting));
    synchronized (this) {
      if (life == null && closed == null) {
        is(down());
      }
    }
  }

  /** What it is when nothing of it is left. */
  private synchronized State down() {
    if (rest != null) {
      return rest.asked() ? State.STOPPED : State.FAILED;
    }
    return needs == null ? State.WAITS : State.RESTS;
  }

  @Override
  public void falls(Directive decided) {
    failures.decided(decided, null);
  }

  /** The failure for which it, or a zone above, was given up; null if none was. */
  public @Nullable Failure endedBy() {
    Failure own = failures.fatal(restarts());
    return own == null && above instanceof FailureZoneRunner zone ? zone.endedBy() : own;
  }

  /** The failure for which it rests; null if an operator wants that. */
  public @Nullable Failure restsBy() {
    Rest now = rests();
    return now == null || now.asked() ? null : failures.fatal(restarts());
  }

  private synchronized int restarts() {
    return Math.max(0, begun - 1);
  }

  /** How it failed as a whole, oldest first, the last {@value FailureRing#MOST}. */
  public List<Failure> failures() {
    return failures.all();
  }

  private void is(State next) {
    state = next;
    nextAttempt = null;
  }

  /** Ends it and its children for good, those in the reverse order of their starts. */
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
    failures.decided(Directive.STOP, null);
    end()
        .compose(v -> closeNext())
        .onComplete(
            done -> {
              closed();
              promise.complete();
            });
    return promise.future();
  }

  private Future<Void> closeNext() {
    Supervised last;
    synchronized (this) {
      if (children.isEmpty()) {
        isOver = true;
        return Future.succeededFuture();
      }
      List<Supervised> all = new ArrayList<>(children.values());
      last = all.get(all.size() - 1);
      children.remove(last.path());
    }
    return last.done().transform(done -> closeNext());
  }

  private void closed() {
    isForgotten = true;
    above.forget(this);
    ended.accept(this);
    boolean unused =
        firstUp.tryFail(new IllegalStateException(label() + " ended before it was up"));
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

  // As the supervisor of its children; any thread.

  /** Those that it has, in the order of their starts. */
  synchronized List<Supervised> children() {
    return List.copyOf(children.values());
  }

  /** The same, told to a life that begins: what comes from now on is told to it. */
  synchronized List<Supervised> childrenFor(FailureZoneVerticle begins) {
    begins.began();
    return List.copyOf(children.values());
  }

  /** How many there are. */
  public synchronized int size() {
    return children.size();
  }

  @Override
  public void add(Supervised child) {
    boolean late;
    ActorPath resting;
    synchronized (this) {
      late = isOver;
      resting = life == null ? resting() : null;
      if (!late) {
        children.put(child.path(), child);
      }
      if (!late && resting != null) {
        child.needs(resting);
      }
    }
    if (late) {
      var unused = child.done();
    } else {
      tell(failureZoneDriver -> failureZoneDriver.add(child));
    }
  }

  @Override
  public void forget(Supervised child) {
    leave(child, failureZoneDriver -> failureZoneDriver.forget(child));
  }

  private void leave(Supervised child, Consumer<FailureZoneDriver> how) {
    synchronized (this) {
      children.remove(child.path(), child);
    }
    tell(how);
  }

  @Override
  public ActorPath zone() {
    return path;
  }

  @Override
  public void restarted(Supervised child) {
    childRestarts.increment();
  }

  @Override
  public void started(Supervised child) {
    tell(failureZoneDriver -> failureZoneDriver.started(child));
  }

  @Override
  public void failed(Supervised child, Throwable cause) {
    childFailures.increment();
    tell(failureZoneDriver -> failureZoneDriver.failed(child, cause));
  }

  @Override
  public void failedAttempt(Supervised child, Throwable cause) {
    childFailures.increment();
    tell(failureZoneDriver -> failureZoneDriver.failedAttempt(child, cause));
  }

  @Override
  public void interrupted(Supervised child, Throwable cause) {
    tell(failureZoneDriver -> failureZoneDriver.interrupted(child, cause));
  }

  @Override
  public void failedForGood(Supervised child, Throwable cause) {
    childFailures.increment();
    tell(failureZoneDriver -> failureZoneDriver.rests(child, String.valueOf(cause.getMessage())));
  }

  @Override
  public void ended(Supervised child) {
    if (child.supervision().kind() == ChildKind.PERMANENT) {
      tell(failureZoneDriver -> failureZoneDriver.ended(child)); // it is started again
    } else {
      leave(child, failureZoneDriver -> failureZoneDriver.ended(child));
    }
  }

  @Override
  public void resume(Supervised child) {
    if (!tell(failureZoneDriver -> failureZoneDriver.resume(child))) {
      child.resumed(); // for the zone's next life, which may have begun meanwhile
      tell(failureZoneDriver -> failureZoneDriver.resume(child));
    }
  }

  @Override
  public void restart(Supervised child) {
    tell(failureZoneDriver -> failureZoneDriver.restart(child));
  }

  @Override
  public void park(Supervised child) {
    if (!tell(failureZoneDriver -> failureZoneDriver.park(child))) {
      child.rest(FailureZoneMachine.PARKED, true);
      tell(failureZoneDriver -> failureZoneDriver.park(child));
    }
  }

  @Override
  public boolean resumes(Supervised child, Throwable cause) {
    return child.supervision().rules().decide(cause, policy.rules()) == Directive.RESUME;
  }

  /** Whether there is somebody to tell. */
  @CanIgnoreReturnValue
  private boolean tell(Consumer<FailureZoneDriver> what) {
    FailureZoneVerticle now;
    synchronized (this) {
      now = life;
    }
    return now != null && now.tell(what);
  }

  @Override
  public @Nullable DeploymentContext deployment() {
    FailureZoneVerticle now;
    synchronized (this) {
      now = life;
    }
    return now == null ? null : now.deployment();
  }

  @Override
  public void ends() {
    FailureZoneVerticle now;
    synchronized (this) {
      now = life;
    }
    if (now != null) {
      now.ends();
    }
  }

  // What became of a life.

  void up(FailureZoneVerticle of) {
    synchronized (this) {
      if (life != of || ending != null) {
        return;
      }
      is(State.RUNNING);
    }
    firstUp.tryComplete();
    above.started(this);
  }

  /** Nothing of that life is left. */
  void gone(FailureZoneVerticle was, FailureZoneStep how) {
    Promise<Void> asked;
    synchronized (this) {
      if (life != was) {
        return;
      }
      life = null;
      asked = ending;
      ending = null;
      if (how instanceof FailureZoneStep.Escalate escalate) {
        failed(escalate.cause());
      } else if (how instanceof FailureZoneStep.RestAll rests) {
        failed(rests.asCause());
      }
    }
    tellResting();
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

  private void failed(Throwable cause) {
    Kind kind = cause instanceof UndeployedException ? Kind.UNDEPLOYED : Kind.ESCALATED;
    Instant now = root.time().clock().instant();
    failures.add(Failure.of(now, kind, cause, node, restarts()));
  }

  /** How it is. */
  public synchronized FailureZoneStatus status() {
    Supplier<RestartBudget> now = counts;
    Supplier<RestartBudget> own = ownCounts;
    List<Failure> all = failures.all();
    Failure last = all.isEmpty() ? null : all.get(all.size() - 1);
    List<ActorPath> paths = new ArrayList<>(children.keySet());
    return new FailureZoneStatus(
        path,
        node,
        policy,
        state,
        Collections.unmodifiableList(paths),
        restarts(),
        last == null ? null : last.cause(),
        last == null ? null : last.at(),
        nextAttempt,
        above.zone(),
        childFailures.sum(),
        childRestarts.sum(),
        needs,
        now == null ? RestartBudget.unused(policy.intensity()) : now.get(),
        options.kind(),
        own == null ? null : own.get());
  }
}
