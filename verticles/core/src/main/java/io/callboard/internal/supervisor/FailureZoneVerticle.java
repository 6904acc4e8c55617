package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.internal.failurezone.FailureZoneMachine;
import io.callboard.internal.failurezone.FailureZoneStep;
import io.callboard.supervision.UndeployedException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.deployment.DeploymentContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Supervisor verticle of a failure zone, for one life of the zone. */
final class FailureZoneVerticle extends VerticleBase {
  private static final Duration AGAIN = Duration.ofMillis(50);

  private final FailureZoneRunner zone;
  private final RootSupervisor root;
  private final Promise<String> deployed = Promise.promise();
  private @Nullable FailureZoneDriver failureZoneDriver;
  private volatile boolean began;
  private volatile boolean over;
  private volatile boolean stopped;
  private boolean told;

  FailureZoneVerticle(FailureZoneRunner zone, RootSupervisor root) {
    this.zone = zone;
    this.root = root;
  }

  /** Returns the promise to complete when the verticle is deployed. */
  Promise<String> deployed() {
    return deployed;
  }

  /** Begins: later events are passed on to this life. */
  void began() {
    began = true;
  }

  DeploymentContext deployment() {
    return Objects.requireNonNull(((ContextInternal) context).deployment(), "deployed");
  }

  private FailureZoneDriver carrier() {
    return Objects.requireNonNull(failureZoneDriver, "it has begun");
  }

  @Override
  public Future<?> start() {
    List<Supervised> children = zone.childrenFor(this); // later changes of policy are reported
    FailureZoneMachine machine = new FailureZoneMachine(zone.policy(), root.random());
    zone.counts(FailureZoneDriver.budget(machine.window(), root.time()));
    failureZoneDriver = new FailureZoneDriver(machine, context, root.time(), this::told);
    children.forEach(carrier()::add);
    carrier().start();
    return Future.succeededFuture();
  }

  boolean hasBegun() {
    return began;
  }

  /**
   * Passes an event on; false, without an effect, before the life has begun, when it has no
   * children. Any thread.
   */
  @CanIgnoreReturnValue
  boolean tell(Consumer<FailureZoneDriver> what) {
    boolean tells = began;
    if (tells) {
      context.runOnContext(v -> what.accept(carrier()));
    }
    return tells;
  }

  /**
   * Ends this life; {@link FailureZoneRunner#gone} follows. Any thread.
   *
   * @param forced whether its children stop all at once
   */
  void end(boolean forced) {
    deployed
        .future()
        .onSuccess(
            id ->
                context.runOnContext(
                    v -> {
                      carrier().stop();
                      if (forced) {
                        carrier().force();
                      }
                    }));
  }

  /** Handles being undeployed by Vert.x. */
  void ends() {
    if (!over) {
      over = true;
      tell(FailureZoneDriver::close);
      undeployLater();
    }
  }

  /**
   * Undeploys the verticle again until it has stopped: one that Vert.x undeploys twice at a time
   * fails once, and with it what is above, which is left half undeployed.
   */
  private void undeployLater() {
    var unused = root.time().after(context, AGAIN, this::undeployAgain);
  }

  private void undeployAgain() {
    if (!stopped) {
      vertx.undeploy(context.deploymentID()).onFailure(cause -> undeployLater());
    }
  }

  private void told(FailureZoneStep step) {
    if (step instanceof FailureZoneStep.Up) {
      zone.up(this);
      return;
    }
    over = true;
    told = true;
    deployed
        .future()
        .compose(vertx::undeploy)
        .onComplete(done -> zone.gone(this, step)); // what is gone already is undeployed, too
  }

  /**
   * Stops: by its own undeployment when the zone has ended; else another undeploys it, and its
   * actors end.
   */
  @Override
  public Future<?> stop() {
    carrier().close();
    over = true;
    stopped = true;
    if (told) {
      return Future.succeededFuture();
    }
    List<Future<Void>> ends = zone.children().stream().map(Supervised::end).toList();
    Future<?> ended =
        Future.join(ends)
            .onComplete(
                done ->
                    zone.gone(
                        this, new FailureZoneStep.Escalate(new UndeployedException(zone.label()))));
    boolean closing = root.isStopping() || ((VertxInternal) vertx).closeFuture().isClosed();
    return closing ? Future.succeededFuture() : ended;
  }
}
