package io.callboard.internal.node;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.cell.LeaseListener;
import io.callboard.cell.Leases;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.context.NodeContext;
import io.callboard.placement.Loss;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The leases of a node as its programs see them; hops to the durable context. */
final class NodeLeases implements Leases {
  private final NodeAssembly runtime;

  NodeLeases(NodeAssembly runtime) {
    this.runtime = runtime;
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = runtime.context().promises().here();
    future.onComplete(promise);
    return promise.future();
  }

  private Future<Void> onContext(Supplier<Future<Void>> task) {
    return runtime
        .context()
        .fromDurableContext(
            runtime.context().promises().here(),
            () ->
                runtime
                    .context()
                    .hindrance()
                    .<Future<Void>>map(Future::failedFuture)
                    .orElseGet(task));
  }

  @Override
  public Future<Map<Partition, Lease>> stored() {
    return here(runtime.store().leases());
  }

  @Override
  public Future<Set<Partition>> partitions() {
    return here(runtime.store().partitions());
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    return here(runtime.store().withMail(partition));
  }

  @Override
  public Set<ActorPath> unhandled() {
    return runtime.durables().wake().unhandled();
  }

  @Override
  public Map<ActorPath, String> failed() {
    return runtime.durables().failed();
  }

  @Override
  public Future<Void> look() {
    return onContext(() -> runtime.durables().sweep());
  }

  @Override
  public void suspect(String bootId, Optional<Loss> loss) {
    onContext(
            () -> {
              runtime.ownership().suspect(bootId, loss);
              return Future.succeededFuture();
            })
        .onFailure(NodeContext::reportedElsewhere); // nothing is owned then
  }

  @Override
  public Future<Void> handOver(Partition partition, long epoch) {
    return onContext(
        () ->
            runtime.ownership().yield(partition, epoch)
                ? Future.succeededFuture()
                : Future.failedFuture(
                    new CallboardException(
                        Code.CONFLICT,
                        "partition %s is not node %s's in epoch %d, or nobody else offers it"
                            .formatted(partition, runtime.context().node(), epoch))));
  }

  @Override
  public Future<Void> drain(boolean draining) {
    return onContext(
        () -> {
          runtime.durables().offers().drain(draining);
          runtime.ownership().drain(draining);
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<Map<String, List<Failover>>> failovers() {
    return here(runtime.store().failovers());
  }

  @Override
  public Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers) {
    return here(runtime.store().keepFailovers(lease, role, failovers));
  }

  @Override
  public void listen(LeaseListener listener) {
    runtime
        .durables()
        .news()
        .listen(Objects.requireNonNull(listener, "listener is null: give one"));
  }
}
