package io.callboard.testkit.internal.world;

import io.callboard.cell.LeaseListener;
import io.callboard.cell.Leases;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.placement.VacancyReason;
import io.callboard.store.Failover;
import io.callboard.store.Lease;
import io.callboard.store.StoredActors;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Leases as a node of a world sees them. Each durable actor has a partition of its own, so that it
 * moves alone.
 */
final class WorldLeases implements Leases {
  /** So many that no two actors of a world share one. */
  private static final int PARTITIONS = 1 << 30;

  private final WorldNode node;
  private final List<LeaseListener> listeners = new ArrayList<>();

  WorldLeases(WorldNode node) {
    this.node = node;
  }

  private static Partition partition(String path) {
    return ActorPath.of(path).partition(PARTITIONS);
  }

  private static Lease lease(DurableLife actor) {
    WorldNode owner = actor.owner();
    String name = owner == null ? "" : owner.node();
    String boot = owner == null ? "" : owner.bootId();
    return new Lease(partition(actor.path()), actor.epoch(), name, boot, (int) actor.epoch());
  }

  /** Tells the node that it owns an actor. */
  void gained(DurableLife actor) {
    Lease lease = lease(actor);
    Claim claim = new Claim(lease.partition(), Optional.empty(), VacancyReason.GIVEN_BACK);
    List.copyOf(listeners).forEach(each -> each.gained(lease, claim));
  }

  /** Tells the node that it owns an actor no more. */
  void lost(String path) {
    List.copyOf(listeners).forEach(each -> each.lost(partition(path)));
  }

  @Override
  public void listen(LeaseListener listener) {
    listeners.add(listener);
    listener.held(
        node.cell().actors().stream()
            .filter(actor -> actor.owner() == node)
            .map(WorldLeases::lease)
            .toList());
  }

  @Override
  public Future<Map<Partition, Lease>> stored() {
    if (!node.isInTouch()) {
      return Future.failedFuture(new IllegalStateException("no contact with the store"));
    }
    Map<Partition, Lease> all = new HashMap<>();
    node.cell().actors().forEach(actor -> all.put(partition(actor.path()), lease(actor)));
    return Future.succeededFuture(all);
  }

  @Override
  public int partitionsOfSpace() {
    return PARTITIONS;
  }

  private static UnsupportedOperationException missing() {
    return new UnsupportedOperationException("the world has no such part: add it to WorldLeases");
  }

  @Override
  public Future<Set<Partition>> partitions() {
    throw missing();
  }

  @Override
  public Future<Void> actors(Partition partition, ActorPath prefix, Consumer<StoredActors> page) {
    throw missing();
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    throw missing();
  }

  @Override
  public Set<ActorPath> unhandled() {
    throw missing();
  }

  @Override
  public Map<ActorPath, String> failed() {
    throw missing();
  }

  @Override
  public Future<Void> look() {
    throw missing();
  }

  @Override
  public void suspect(String bootId, Optional<VacancyReason> loss) {
    throw missing();
  }

  @Override
  public Future<Void> handOver(Partition partition, long epoch) {
    throw missing();
  }

  @Override
  public Future<Void> drain(boolean draining) {
    throw missing();
  }

  @Override
  public Future<Map<String, List<Failover>>> failovers() {
    throw missing();
  }

  @Override
  public Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers) {
    throw missing();
  }

  @Override
  public Future<Optional<byte[]>> document(String role) {
    throw missing();
  }

  @Override
  public Future<Void> keepDocument(Lease lease, byte[] document) {
    throw missing();
  }
}
