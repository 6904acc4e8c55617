package io.callboard.zookeeper.faults;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.BlobStore;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.Failover;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.ParkedKey;
import io.callboard.store.Session;
import io.callboard.store.Store;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Stands before a store and passes everything on. */
class StoreInFront implements Store {
  private final Store store;

  StoreInFront(Store store) {
    this.store = store;
  }

  @Override
  public Future<Session> open(NodeIdentity identity) {
    return store.open(identity);
  }

  @Override
  public void listen(StoreListener listener) {
    store.listen(listener);
  }

  @Override
  public Future<Session> renew() {
    return store.renew();
  }

  @Override
  public Future<Map<Partition, Lease>> leases() {
    return store.leases();
  }

  @Override
  public Future<Map<Partition, Lease>> leases(Set<Partition> partitions) {
    return store.leases(partitions);
  }

  @Override
  public Map<Partition, String> unreadableLeases() {
    return store.unreadableLeases();
  }

  @Override
  public Future<Lease> claim(Partition partition, Optional<Lease> seen) {
    return store.claim(partition, seen);
  }

  @Override
  public Future<Void> release(Lease lease) {
    return store.release(lease);
  }

  @Override
  public Future<Loaded> load(ActorPath actor, Lease lease) {
    return store.load(actor, lease);
  }

  @Override
  public Future<List<byte[]>> entries(ActorPath actor, List<JournalKey> keys) {
    return store.entries(actor, keys);
  }

  @Override
  public Future<Map<ActorPath, Throwable>> remove(
      Lease lease, Map<ActorPath, StoredRecord> records) {
    return store.remove(lease, records);
  }

  @Override
  public Future<StoredMail> read(ActorPath actor, long fromSequence) {
    return store.read(actor, fromSequence);
  }

  @Override
  public Future<CommitOutcome> commit(Commit commit) {
    return store.commit(commit);
  }

  @Override
  public Future<Void> createMailbox(ActorPath actor) {
    return store.createMailbox(actor);
  }

  @Override
  public Future<Set<Partition>> partitions() {
    return store.partitions();
  }

  @Override
  public Future<List<ActorPath>> withMail(Partition partition) {
    return store.withMail(partition);
  }

  @Override
  public Future<Void> eachActor(ActorPath prefix, Function<StoredActors, Future<Void>> page) {
    return store.eachActor(prefix, page);
  }

  @Override
  public Future<Void> eachActor(
      ActorPath prefix, Partition partition, Function<StoredActors, Future<Void>> page) {
    return store.eachActor(prefix, partition, page);
  }

  @Override
  public Future<StoredActors> actors(ActorPath prefix, int limit, Optional<ActorPath> after) {
    return store.actors(prefix, limit, after);
  }

  @Override
  public Future<StoredActors> actors(List<ActorPath> paths) {
    return store.actors(paths);
  }

  @Override
  public Future<List<StoredSegment>> peek(ActorPath actor, int limit) {
    return store.peek(actor, limit);
  }

  @Override
  public Future<List<Failure>> failures(ActorPath actor) {
    return store.failures(actor);
  }

  @Override
  public Future<Void> keepFailures(ActorPath actor, Lease lease, List<Failure> failures) {
    return store.keepFailures(actor, lease, failures);
  }

  @Override
  public Future<Map<String, List<Failover>>> failovers() {
    return store.failovers();
  }

  @Override
  public Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers) {
    return store.keepFailovers(lease, role, failovers);
  }

  @Override
  public Future<Optional<byte[]>> document(Partition role) {
    return store.document(role);
  }

  @Override
  public Future<Void> keepDocument(Lease lease, byte[] document) {
    return store.keepDocument(lease, document);
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return store.parked(limit);
  }

  @Override
  public Future<Optional<StoredParked>> parked(ParkedKey key) {
    return store.parked(key);
  }

  @Override
  public Future<List<ParkedKey>> parkedKeys(Optional<ActorPath> prefix) {
    return store.parkedKeys(prefix);
  }

  @Override
  public BlobStore blobs() {
    return store.blobs();
  }

  @Override
  public Future<List<Member>> members() {
    return store.members();
  }

  @Override
  public Future<Void> publish(Map<String, String> facts) {
    return store.publish(facts);
  }

  @Override
  public Future<Void> close() {
    return store.close();
  }
}
