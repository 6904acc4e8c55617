package io.callboard.internal.lifecycle;

import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.internal.deployment.Deployment;
import io.vertx.core.internal.deployment.DeploymentContext;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;

/**
 * Vert.x {@code Deployment} shown for every actor: one instance without a configuration. It deploys
 * nothing, for an actor's life is begun and ended by its supervisor.
 */
final class ActorDeployment implements Deployment {
  static final ActorDeployment INSTANCE = new ActorDeployment();

  private final DeploymentOptions options =
      new DeploymentOptions().setConfig(new JsonObject(Map.of()));

  private ActorDeployment() {}

  @Override
  public Set<Context> contexts() {
    return Set.of();
  }

  @Override
  public Set<Deployable> instances() {
    return Set.of();
  }

  @Override
  public DeploymentOptions options() {
    return options;
  }

  @Override
  public String identifier() {
    return "callboard";
  }

  @Override
  public Future<?> deploy(DeploymentContext context) {
    return Future.failedFuture(new IllegalStateException("actors are started by their supervisor"));
  }

  @Override
  public Future<?> undeploy() {
    return Future.succeededFuture();
  }

  @Override
  public Future<?> cleanup() {
    return Future.succeededFuture();
  }
}
