package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.Sequence;
import io.callboard.internal.failurezone.FailureZoneMachine;
import io.callboard.supervision.Causes;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Failure zone as the supervisor of its children: keeps the children, and passes their events on to
 * the zone's present life. Events between two lives wait for the next one. Thread-safe.
 */
public abstract class FailureZoneSupervisor implements Supervisor {
  final ActorPath path;
  private volatile FailureZone policy;
  private final Map<ActorPath, Supervised> children = new LinkedHashMap<>();
  private final LongAdder childFailures = new LongAdder();
  private final LongAdder childRestarts = new LongAdder();

  /** Present life of the zone; null between two. Guarded by this. */
  @Nullable FailureZoneVerticle life;

  private boolean isOver;

  FailureZoneSupervisor(ActorPath path, FailureZone policy) {
    this.path = path;
    this.policy = policy;
  }

  public ActorPath path() {
    return path;
  }

  /**
   * Returns the path that must be resumed before anything of the zone can run; null if nothing
   * rests.
   */
  abstract @Nullable ActorPath resting();

  /** Returns the policy of the present and the next life. Any thread. */
  public FailureZone policy() {
    return policy;
  }

  /**
   * Changes the policy; the children run on. Any thread.
   *
   * @return completes when the present life, if there is one, goes by it; on any thread
   */
  public Future<Void> policy(FailureZone next) {
    policy = next;
    return asked(
        () -> null,
        driver -> driver.policy(policy), // of several the last, in each life
        () -> {});
  }

  /** Returns the children in the order of their starts. */
  synchronized List<Supervised> children() {
    return List.copyOf(children.values());
  }

  /** Returns the children for a life that begins, to which later events are passed on. */
  synchronized List<Supervised> childrenFor(FailureZoneVerticle begins) {
    begins.began();
    return List.copyOf(children.values());
  }

  synchronized List<ActorPath> childPaths() {
    return List.copyOf(children.keySet());
  }

  /** Returns the failures of the children since the zone was made. */
  long childFailures() {
    return childFailures.sum();
  }

  /** Restarts of the children since the zone was made. */
  long childRestarts() {
    return childRestarts.sum();
  }

  /** Returns the number of children. */
  public synchronized int size() {
    return children.size();
  }

  @Override
  public void add(Supervised child) {
    boolean late;
    synchronized (this) {
      late = isOver;
      if (!late) {
        children.put(child.path(), child);
      }
    }
    if (late) {
      var unused = child.done();
    } else {
      tellResting(child);
      tell(driver -> driver.add(child));
    }
  }

  /** Reports to a new child what must be resumed before it can run, if no life of the zone does. */
  abstract void tellResting(Supervised child);

  @Override
  public void forget(Supervised child) {
    leave(child, driver -> driver.forget(child));
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
    tell(driver -> driver.started(child));
  }

  @Override
  public void elsewhere(Supervised child) {
    tell(driver -> driver.elsewhere(child));
  }

  @Override
  public void failed(Supervised child, Throwable cause) {
    childFailures.increment();
    tell(driver -> driver.failed(child, cause));
  }

  @Override
  public void failedAttempt(Supervised child, Throwable cause) {
    childFailures.increment();
    tell(driver -> driver.failedAttempt(child, cause));
  }

  @Override
  public void interrupted(Supervised child, Throwable cause) {
    tell(driver -> driver.interrupted(child, cause));
  }

  @Override
  public void failedForGood(Supervised child, Throwable cause) {
    childFailures.increment();
    tell(driver -> driver.rests(child, Causes.message(cause)));
  }

  @Override
  public void ended(Supervised child) {
    if (child.supervision().kind() == ChildKind.PERMANENT) {
      tell(driver -> driver.ended(child)); // it is started again
    } else {
      leave(child, driver -> driver.ended(child));
    }
  }

  @Override
  @CanIgnoreReturnValue
  public Future<Void> resume(Supervised child) {
    return asked(() -> Supervisor.conflict(child), driver -> driver.resume(child), child::resumed);
  }

  @Override
  @CanIgnoreReturnValue
  public Future<Void> restart(Supervised child) {
    return asked(() -> Supervisor.conflict(child), driver -> driver.restart(child), () -> {});
  }

  @Override
  @CanIgnoreReturnValue
  public Future<Void> suspend(Supervised child) {
    return asked(
        () -> null,
        driver -> driver.suspend(child),
        () -> child.rest(FailureZoneMachine.SUSPENDED, true));
  }

  /**
   * Passes an operator's wish on. Completes when the present life has decided.
   *
   * @param conflict gives why it cannot be granted, asked when its turn has come; null if it can
   * @param meanwhile keeps the wish for the next life, if there is none now
   */
  private Future<Void> asked(
      Supplier<@Nullable CallboardException> conflict,
      Consumer<FailureZoneDriver> wish,
      Runnable meanwhile) {
    Promise<Void> decided = Promise.promise();
    Consumer<FailureZoneDriver> turn =
        driver -> {
          CallboardException why = conflict.get();
          if (why != null) {
            decided.fail(why);
            return;
          }
          try {
            wish.accept(driver);
          } finally {
            decided.complete();
          }
        };
    if (!tell(turn)) {
      meanwhile.run();
      if (!tell(turn)) { // it may have begun meanwhile
        decided.complete();
      }
    }
    return decided.future();
  }

  @Override
  public boolean resumes(Supervised child, Throwable cause) {
    return child.supervision().rules().decide(cause, policy.rules()) == Directive.RESUME;
  }

  /** Passes an event on to the present life; false if there is none. */
  @CanIgnoreReturnValue
  private boolean tell(Consumer<FailureZoneDriver> what) {
    FailureZoneVerticle now;
    synchronized (this) {
      now = life;
    }
    return now != null && now.tell(what);
  }

  @Override
  public void well(Supervised child) {
    tell(driver -> driver.well(child));
  }

  @Override
  public void treat(Supervised child) {
    tell(driver -> driver.treat(child, child.supervision()));
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

  /** Ends the children for good, in the reverse order of their starts; then takes no more. */
  Future<Void> closeChildren() {
    Deque<Supervised> some = new ArrayDeque<>();
    return Sequence.of(
        () -> {
          Supervised last = takeLast(some);
          return last == null ? null : last.done().otherwiseEmpty();
        });
  }

  /**
   * Takes the last child; null if there is none, and none is added from then on.
   *
   * @param some children in the order in which they are taken, filled again when it is empty
   */
  private synchronized @Nullable Supervised takeLast(Deque<Supervised> some) {
    while (!children.isEmpty()) {
      if (some.isEmpty()) {
        children.values().forEach(some::push);
      }
      Supervised last = some.pop();
      if (children.remove(last.path(), last)) {
        return last; // not one that has left meanwhile
      }
    }
    isOver = true;
    return null;
  }
}
