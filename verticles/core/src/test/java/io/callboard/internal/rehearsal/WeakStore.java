package io.callboard.internal.rehearsal;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Session;
import io.callboard.store.StoredRecord;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Store that fills in what a missing guard would have checked, so that the guard never refuses. */
final class WeakStore {
  private final MemoryStore store;
  private final Guards guards;
  private final Map<String, Session> sessions;
  private final String node;

  /**
   * @param sessions the present one of each node, shared by all
   */
  WeakStore(MemoryStore store, Guards guards, Map<String, Session> sessions, String node) {
    this.store = store;
    this.guards = guards;
    this.sessions = sessions;
    this.node = node;
  }

  Future<CommitOutcome> commit(Commit commit) {
    Session now = sessions.get(node);
    Map<Partition, Lease> leases = store.leases().result();
    if (now == null || leases == null) {
      return store.commit(commit);
    }
    Commit weak =
        new Commit(
            guards.incarnation() ? commit.incarnation() : now.incarnation(),
            guards.chain() ? commit.number() : now.commitNumber() + 1,
            guards.lease() ? commit.leases() : present(commit.leases(), leases),
            guards.version() ? commit.units() : unversioned(commit, now, leases));
    Future<CommitOutcome> outcome = store.commit(weak);
    if (outcome.result() instanceof Applied) {
      sessions.put(node, new Session(now.partitions(), now.incarnation(), weak.number()));
    }
    return outcome;
  }

  private static Set<Lease> present(Set<Lease> seen, Map<Partition, Lease> leases) {
    Set<Lease> present = new HashSet<>();
    seen.forEach(lease -> present.add(leases.getOrDefault(lease.partition(), lease)));
    return present;
  }

  private List<CommitUnit> unversioned(Commit commit, Session now, Map<Partition, Lease> leases) {
    Map<ActorPath, Integer> versions = new HashMap<>();
    return commit.units().stream()
        .map(
            unit ->
                new CommitUnit(
                    unit.write().map(write -> unversioned(write, now, leases, versions)),
                    unit.outgoing()))
        .toList();
  }

  private Write unversioned(
      Write write, Session now, Map<Partition, Lease> leases, Map<ActorPath, Integer> versions) {
    Lease lease = leases.get(write.actor().partition(now.partitions()));
    Loaded loaded = lease == null ? null : store.load(write.actor(), lease).result();
    Optional<StoredRecord> stored = loaded == null ? Optional.empty() : loaded.record();
    int version =
        versions.getOrDefault(write.actor(), stored.map(StoredRecord::version).orElse(Write.NEW));
    versions.put(write.actor(), StoredRecord.following(version));
    return new Write(
        write.actor(),
        version,
        write.record(),
        write.consumed(),
        write.journal(),
        write.parked(),
        write.header(),
        write.seal(),
        write.emptied(),
        write.outbox());
  }
}
