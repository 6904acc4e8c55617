package io.callboard.zookeeper.internal.lease;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.store.StoreException;
import io.callboard.store.StoredRecord;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.client.VersionedWrite;
import io.callboard.zookeeper.internal.mailbox.SegmentNames;
import io.callboard.zookeeper.internal.read.CellReader;
import io.callboard.zookeeper.internal.read.CellReader.StoredLease;
import io.callboard.zookeeper.internal.session.NodeSession;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leases of partitions: reads, claims and releases, with the watches of owned mailboxes. */
public final class LeaseStore {
  private static final Logger log = LoggerFactory.getLogger(LeaseStore.class);

  private final NodeSession session;
  private final CellReader reader;
  private final CellWatches watches;
  private final SegmentNames names;
  private final SeenEpochs epochs;
  private final Set<Partition> claiming = ConcurrentHashMap.newKeySet();
  private final Clock clock;

  public LeaseStore(
      NodeSession session,
      CellReader reader,
      CellWatches watches,
      SegmentNames names,
      SeenEpochs epochs,
      Clock clock) {
    this.session = session;
    this.reader = reader;
    this.watches = watches;
    this.names = names;
    this.epochs = epochs;
    this.clock = clock;
  }

  /** Reads all leases, and notes which partitions other nodes have taken. */
  public Future<Map<Partition, Lease>> read() {
    // leases claimed during the read are not in its result
    var before = claimed();
    return reader.leases().map(leases -> seen(leases, before));
  }

  /** Reads some leases, and notes which of them other nodes have taken. */
  public Future<Map<Partition, Lease>> read(Set<Partition> some) {
    var before = claimed();
    return reader.leases(some).map(leases -> seen(leases, before));
  }

  /** Returns the partitions that are watched, without those that are being claimed. */
  private Set<Partition> claimed() {
    Set<Partition> claimed = new HashSet<>(watches.owned());
    claimed.removeAll(claiming);
    return claimed;
  }

  /**
   * Notes the epochs before the future completes: a handler beside it might run later than those of
   * callers.
   */
  private Map<Partition, Lease> seen(Map<Partition, Lease> leases, Set<Partition> before) {
    saw(leases, before);
    return leases;
  }

  private void saw(Map<Partition, Lease> leases, Set<Partition> before) {
    leases.values().forEach(epochs::saw);
    for (Partition partition : before) {
      Lease lease = leases.get(partition);
      if (lease != null && !isMine(lease)) {
        drop(partition);
      }
    }
  }

  /**
   * Reads the leases again in a new session, before anything is committed: other nodes may have
   * taken them while this node had no session.
   */
  public Future<Void> look(Handle handle) {
    List<String> paths = watches.owned().stream().map(session.layout()::lease).toList();
    return BulkReads.small(handle, paths)
        .map(
            nodes -> {
              nodes.forEach(this::saw);
              return null;
            });
  }

  /**
   * Notes the epoch of a lease. A damaged one has another version than the one that this node's
   * commits check, so that they are refused.
   */
  private void saw(String path, Handle.Node node) {
    try {
      epochs.saw(StoredLease.decode(path, node));
    } catch (CodecException | StoreException e) {
      log.error(
          "the lease {} cannot be read, so that this node does not own its partition any more: {}",
          path,
          e.getMessage());
    }
  }

  private boolean isMine(Lease lease) {
    NodeIdentity me = session.identity();
    return lease.owner().equals(me.name()) && lease.ownerBoot().equals(me.bootId());
  }

  private void drop(Partition partition) {
    watches.remove(session.handle(), session.layout(), partition);
    names.forget(partition, session.layout().partitions());
  }

  /**
   * Claims a partition.
   *
   * @param seen the lease as it was read last; empty if there was none
   */
  public Future<Lease> claim(Partition partition, Optional<Lease> seen) {
    Handle handle = session.handle();
    NodeIdentity me = session.identity();
    long epoch = seen.map(Lease::epoch).orElse(0L) + 1;
    int version = seen.map(lease -> StoredRecord.following(lease.version())).orElse(0);
    String path = session.layout().lease(partition);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Lease lease = new Lease(partition, epoch, me.name(), me.bootId(), version, "", now);
    byte[] data = StoredLease.encode(lease);
    List<Op> take = new ArrayList<>();
    take.add(Op.check(session.layout().incarnation(me.name()), session.incarnation()));
    if (seen.isPresent()) {
      take.addAll(VersionedWrite.of(path, data, seen.get().version(), handle.acl()));
    } else {
      take.add(Op.create(path, data, handle.acl(), CreateMode.PERSISTENT));
    }
    claiming.add(partition);
    return parents(handle, partition)
        .compose(made -> watches.add(handle, session.layout(), partition))
        .compose(watched -> handle.multi(take))
        .map(
            taken -> {
              epochs.saw(lease);
              return lease;
            })
        .recover(
            cause -> {
              if (cause instanceof Handle.Refused refused) {
                drop(partition);
                return Future.failedFuture(refusal(partition, refused));
              }
              return Future.<Lease>failedFuture(
                  cause); // it may be this node's: the next read shows it
            })
        .eventually(
            () -> {
              claiming.remove(partition);
              return Future.succeededFuture();
            });
  }

  private static StoreException refusal(Partition partition, Handle.Refused refused) {
    int culprit = refused.culprit();
    if (culprit >= 0 && refused.code(culprit) == Code.NOAUTH) {
      return StoreException.denied(
          "ZooKeeper denies the lease of partition %s with the credentials of this node"
              .formatted(partition),
          refused);
    }
    return culprit == 0
        ? StoreException.unavailable("the session is being renewed", refused)
        : StoreException.conflict("the lease of partition %s changed".formatted(partition));
  }

  /** Creates the znodes that must exist before anything of a partition can be stored. */
  public Future<Void> parents(Handle handle, Partition partition) {
    List<Future<Void>> made = new ArrayList<>();
    for (String parent : session.layout().parents(partition)) {
      made.add(handle.ensure(parent, new byte[0]));
    }
    return Future.all(made).mapEmpty();
  }

  /** Releases a lease of this node; fails if it is no longer the present one. */
  public Future<Void> release(Lease lease) {
    byte[] data = StoredLease.encode(lease.released(clock.instant()));
    return session
        .handle()
        .overwrite(session.layout().lease(lease.partition()), data, lease.version())
        .map(
            done -> {
              drop(lease.partition());
              return null;
            });
  }
}
