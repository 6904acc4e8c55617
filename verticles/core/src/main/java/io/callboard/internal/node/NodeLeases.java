package io.callboard.internal.node;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.cell.LeaseListener;
import io.callboard.cell.Leases;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.ownership.OfferPublisher;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.placement.VacancyReason;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.store.StoredActors;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leases of a node as its programs see them; switches to the durable context. */
final class NodeLeases implements Leases {
  private static final Logger log = LoggerFactory.getLogger(NodeLeases.class);
  private static final Duration HAND_OVER = Duration.ofSeconds(3);

  private final NodeContext node;
  private final Store store;
  private final OnceOpen<PartitionOwnership> ownership;
  private final DurableActors durables;
  private final OfferPublisher offers;
  private final CellEvents events;

  NodeLeases(
      NodeContext node,
      Store store,
      OnceOpen<PartitionOwnership> ownership,
      DurableActors durables,
      OfferPublisher offers,
      CellEvents events) {
    this.node = node;
    this.store = store;
    this.ownership = ownership;
    this.durables = durables;
    this.offers = offers;
    this.events = events;
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = node.promises().here();
    future.onComplete(promise);
    return promise.future();
  }

  private Future<Void> onContext(Supplier<Future<Void>> task) {
    return node.fromDurableContext(
        node.promises().here(),
        () -> node.hindrance().<Future<Void>>map(Future::failedFuture).orElseGet(task));
  }

  @Override
  public Future<Map<Partition, Lease>> stored() {
    return here(store.leases());
  }

  @Override
  public Future<Set<Partition>> partitions() {
    return here(store.partitions());
  }

  @Override
  public int partitionsOfSpace() {
    return ownership.get().partitions();
  }

  @Override
  public Future<Void> actors(Partition partition, ActorPath prefix, Consumer<StoredActors> page) {
    ContextPages pages = new ContextPages(node.vertx().getOrCreateContext(), page);
    return here(store.eachActor(prefix, partition, pages::pass));
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    return here(store.withMail(partition));
  }

  @Override
  public Set<ActorPath> unhandled() {
    return durables.wake().unhandled();
  }

  @Override
  public Map<ActorPath, String> failed() {
    return durables.failed();
  }

  @Override
  public Future<Void> look() {
    return onContext(() -> durables.sweep());
  }

  @Override
  public void suspect(String bootId, Optional<VacancyReason> loss) {
    onContext(
            () -> {
              ownership.get().suspect(bootId, loss);
              return Future.succeededFuture();
            })
        .onFailure(NodeContext::reportedElsewhere); // nothing is owned then
  }

  @Override
  public Future<Void> handOver(Partition partition, long epoch) {
    return onContext(
        () ->
            ownership.get().yield(partition, epoch)
                ? Future.succeededFuture()
                : Future.failedFuture(
                    new CallboardException(
                        Code.CONFLICT,
                        "partition %s is not owned by node %s in epoch %d, or no other node offers it"
                            .formatted(partition, node.node(), epoch))));
  }

  @Override
  public Future<Void> drain(boolean draining) {
    return onContext(
        () -> {
          offers.drain(draining);
          ownership.get().drain(draining);
          return Future.succeededFuture();
        });
  }

  /**
   * Hands all partitions over to other nodes; never fails. Called while all parts still work, so
   * that no actor waits for the end of the close. On the durable context.
   */
  Future<Void> handOverAll() {
    PartitionOwnership claims = ownership.ifOpen().orElse(null);
    if (claims == null) {
      return Future.succeededFuture();
    }
    offers.drain(true);
    return claims
        .handOverAll()
        .timeout(HAND_OVER.toMillis(), TimeUnit.MILLISECONDS)
        .otherwise(
            cause -> {
              log.info(
                  "not all partitions could be handed over; other nodes take them when the session has ended: {}",
                  Causes.text(cause));
              return null;
            });
  }

  @Override
  public Future<Map<String, List<Failover>>> failovers() {
    return here(store.failovers());
  }

  @Override
  public Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers) {
    return here(store.keepFailovers(lease, role, failovers));
  }

  @Override
  public Future<Optional<byte[]>> document(String role) {
    return here(store.document(Partition.ofRole(role)));
  }

  @Override
  public Future<Void> keepDocument(Lease lease, byte[] document) {
    return here(store.keepDocument(lease, document));
  }

  @Override
  public void listen(LeaseListener listener) {
    events.listen(Objects.requireNonNull(listener, "listener is null: give one"));
    node.onDurableContext(
        () -> ownership.ifOpen().ifPresent(claims -> events.held(listener, claims.held())));
  }
}
