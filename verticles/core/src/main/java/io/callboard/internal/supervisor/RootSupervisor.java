package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.failurezone.FailureZoneMachine;
import io.callboard.internal.failurezone.FailureZoneStep;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Directive;
import io.callboard.supervision.EscalatedException;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.supervision.UndeployedException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Root supervisor of a node: supervises the actors outside of any failure zone, each for itself,
 * and the outermost failure zones. It works on a context of its own, in the supervision zone, so
 * that a busy zone cannot delay a restart; its timers, which all supervisors of the node share, are
 * those of the zones, so that a blocked event loop cannot either.
 *
 * <p>It keeps nothing of an actor that has not failed.
 */
public final class RootSupervisor extends VerticleBase implements Supervisor {
  /** Policy of an actor outside of any zone: beyond its budget it rests. */
  private static final FailureZone ALONE =
      new FailureZone().intensity(Intensity.UNLIMITED).whenOver(LimitAction.PARK);

  /**
   * Policy of the outermost zones: a failure that one cannot mend is escalated to the application.
   */
  private static final FailureZone OUTERMOST =
      new FailureZone()
          .intensity(Intensity.UNLIMITED)
          .rules(
              Rules.RESTART
                  .on(UndeployedException.class, Directive.RESTART)
                  .when(cause -> true, Directive.ESCALATE));

  private final Time time;
  private final SplittableRandom random;
  private final Owner owner;
  private final Map<Supervised, FailureZoneDriver> carriers = new HashMap<>();
  private volatile boolean closing;
  private volatile boolean stopping;
  private volatile boolean undeployed;
  private volatile boolean nothingElseIsLeft;

  /** Owner of the supervisor: the node. */
  public interface Owner {
    /**
     * Reports a failure that no supervisor could mend; its message names its source. The
     * application of this node is to end.
     */
    void escalated(Throwable cause);

    /** Closes the node, if it is not closing already: its supervisor is undeployed. */
    Future<Void> close();
  }

  public RootSupervisor(Time time, long seed, Owner owner) {
    this.time = time;
    this.random = new SplittableRandom(seed);
    this.owner = owner;
  }

  Time time() {
    return time;
  }

  /** Randomness for one of its zones. */
  synchronized SplittableRandom random() {
    return random.split();
  }

  boolean isStopping() {
    return stopping;
  }

  @Override
  public DeploymentContext deployment() {
    return Objects.requireNonNull(((ContextInternal) context).deployment(), "deployed");
  }

  /** Reports that nothing else of the node is left: the undeployment waits for nothing. */
  void nothingElseIsLeft() {
    nothingElseIsLeft = true;
  }

  /**
   * Undeploys this verticle, as the last part of the node; a closing Vert.x instance may have done
   * so before.
   */
  public Future<Void> undeployLast() {
    nothingElseIsLeft();
    String id = context == null ? null : context.deploymentID();
    if (id == null || undeployed) {
      return Future.succeededFuture();
    }
    return vertx
        .undeploy(id)
        .recover(
            cause ->
                vertx.deploymentIDs().contains(id)
                    ? Future.failedFuture(cause)
                    : Future.succeededFuture());
  }

  /**
   * Reports that the node closes: children that end from now on are not started again. Any thread.
   */
  public void closes() {
    closing = true;
    stopping = true;
  }

  @Override
  public void ends() {
    stopping = true;
  }

  @Override
  public Future<?> stop() {
    stopping = true;
    undeployed = true;
    carriers.values().forEach(FailureZoneDriver::close);
    carriers.clear();
    if (nothingElseIsLeft) {
      return Future.succeededFuture();
    }
    if (!closing && !((VertxInternal) vertx).closeFuture().isClosed()) {
      owner.escalated(new UndeployedException("the supervisor of this node"));
    }
    return owner.close();
  }

  @Override
  public @Nullable ActorPath zone() {
    return null;
  }

  @Override
  public void restarted(Supervised child) {
    // each tells its own restarts
  }

  /** Adds an outermost zone, which begins. */
  @Override
  public void add(Supervised zone) {
    context.runOnContext(
        v -> {
          if (!stopping) {
            FailureZoneDriver failureZoneDriver = carrier(zone, OUTERMOST);
            carriers.put(zone, failureZoneDriver);
            failureZoneDriver.add(zone);
            failureZoneDriver.start();
          }
        });
  }

  @Override
  public void started(Supervised child) {
    ifKnown(child, failureZoneDriver -> failureZoneDriver.started(child));
  }

  @Override
  public void elsewhere(Supervised child) {
    ifKnown(child, failureZoneDriver -> failureZoneDriver.elsewhere(child));
  }

  @Override
  public void failed(Supervised child, Throwable cause) {
    with(child, failureZoneDriver -> failureZoneDriver.failed(child, cause));
  }

  @Override
  public void failedAttempt(Supervised child, Throwable cause) {
    with(child, failureZoneDriver -> failureZoneDriver.failedAttempt(child, cause));
  }

  @Override
  public void interrupted(Supervised child, Throwable cause) {
    with(child, failureZoneDriver -> failureZoneDriver.interrupted(child, cause));
  }

  @Override
  public void failedForGood(Supervised child, Throwable cause) {
    with(child, failureZoneDriver -> failureZoneDriver.rests(child, Causes.message(cause)));
  }

  @Override
  public void ended(Supervised child) {
    with(child, failureZoneDriver -> failureZoneDriver.ended(child));
  }

  @Override
  public void forget(Supervised child) {
    context.runOnContext(
        v -> {
          FailureZoneDriver known = carriers.remove(child);
          if (known != null) {
            known.close();
          }
        });
  }

  @Override
  public boolean resumes(Supervised child, Throwable cause) {
    return child.supervision().rules().decide(cause, Rules.RESTART) == Directive.RESUME;
  }

  @Override
  public void treat(Supervised child) {
    ifKnown(
        child,
        failureZoneDriver ->
            failureZoneDriver.treat(child, isZone(child) ? child.supervision() : alone(child)));
  }

  @Override
  public void well(Supervised child) {
    ifKnown(child, failureZoneDriver -> failureZoneDriver.well(child));
  }

  private static boolean isZone(Supervised child) {
    return child instanceof FailureZoneRunner;
  }

  @Override
  @CanIgnoreReturnValue
  public Future<Void> resume(Supervised child) {
    return ifKnown(child, failureZoneDriver -> failureZoneDriver.resume(child));
  }

  @Override
  @CanIgnoreReturnValue
  public Future<Void> restart(Supervised child) {
    return with(child, failureZoneDriver -> failureZoneDriver.restart(child));
  }

  @Override
  @CanIgnoreReturnValue
  public Future<Void> suspend(Supervised child) {
    return with(child, failureZoneDriver -> failureZoneDriver.suspend(child));
  }

  @CanIgnoreReturnValue
  private Future<Void> ifKnown(Supervised child, Consumer<FailureZoneDriver> what) {
    return here(() -> Optional.ofNullable(carriers.get(child)).ifPresent(what));
  }

  @CanIgnoreReturnValue
  private Future<Void> with(Supervised child, Consumer<FailureZoneDriver> what) {
    return here(
        () -> {
          FailureZoneDriver failureZoneDriver = carriers.get(child);
          if (failureZoneDriver == null && !stopping && child.becomesKnown()) {
            failureZoneDriver = lone(child);
            carriers.put(child, failureZoneDriver);
          }
          if (failureZoneDriver != null && !stopping) {
            what.accept(failureZoneDriver);
          }
        });
  }

  /** Runs a task on the context of the supervisor; completes when it has run. */
  private Future<Void> here(Runnable task) {
    Promise<Void> ran = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            task.run();
          } finally {
            ran.complete();
          }
        });
    return ran.future();
  }

  private FailureZoneDriver lone(Supervised child) {
    FailureZoneDriver failureZoneDriver = carrier(child, ALONE);
    failureZoneDriver.adopt(child, alone(child));
    failureZoneDriver.start();
    return failureZoneDriver;
  }

  /** Returns the options with an intensity, for a child in no zone has none from one. */
  private static SupervisionOptions alone(Supervised child) {
    SupervisionOptions options = child.supervision();
    Intensity own = options.intensity().orElse(Intensity.DEFAULT);
    return options.intensity(own.restarts(), own.window());
  }

  private FailureZoneDriver carrier(Supervised child, FailureZone policy) {
    return new FailureZoneDriver(
        new FailureZoneMachine(policy, random()), context, time, step -> told(child, step));
  }

  private void told(Supervised child, FailureZoneStep step) {
    if (step instanceof FailureZoneStep.Escalate escalate) {
      carriers.remove(child);
      if (!child.becomesKnown()) {
        return; // it has ended meanwhile, and its failure is nobody's
      } else if (child.escalates(escalate.cause())) {
        FailureZoneDriver again = lone(child); // if its parent goes on, somebody may resume it
        carriers.put(child, again);
        again.rests(child, "its failure was escalated");
      } else {
        child.rest("its failure was escalated", false);
        owner.escalated(new EscalatedException(child.label(), escalate.cause()));
      }
    }
  }
}
