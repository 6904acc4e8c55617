package io.callboard.bench;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;

/** Peer: verticles that do nothing, deployed one by one. */
final class VerticleCrowd extends Crowd {
  private final Vertx vertx;
  private final Set<String> others;

  /** Creates the crowd; what is deployed already stays. */
  VerticleCrowd(Vertx vertx) {
    this.vertx = vertx;
    this.others = Set.copyOf(vertx.deploymentIDs());
  }

  private final class Idler extends VerticleBase {
    @Override
    public Future<?> start() throws Exception {
      hasStarted();
      return super.start();
    }
  }

  @Override
  void spawn(int count) throws Exception {
    each(count, number -> vertx.deployVerticle(new Idler()));
  }

  @Override
  void disperse() throws Exception {
    List<String> idlers =
        vertx.deploymentIDs().stream().filter(id -> !others.contains(id)).toList();
    each(idlers.size(), number -> vertx.undeploy(idlers.get(number)));
  }
}
