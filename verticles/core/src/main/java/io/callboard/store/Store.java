package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Port to a durable store. One instance is one node's session with one cell.
 *
 * <p>Every method returns at once; futures complete on any thread, so the caller must switch to its
 * own context. A future fails with {@link StoreException}, whose {@link StoreException.Kind} says
 * what to do. Other failures fail the future too: except for {@link #open}, no method throws.
 */
public interface Store {
  /**
   * Connects, checks the format of what is stored, takes the node's name and a new incarnation.
   *
   * <p>A name whose last process is known to be dead ({@link NodeIdentity#homeId()} is the same) is
   * taken over at once; otherwise its session is waited for.
   *
   * @return the session's facts
   * @throws IllegalArgumentException if this store cannot hold the name
   */
  Future<Session> open(NodeIdentity identity);

  /** Sets the one listener of hints and events; called before {@link #open}. */
  void listen(StoreListener listener);

  /**
   * Takes a new incarnation after an unknown outcome, and reads how far this node's commits got.
   * Waits for the callbacks of requests in flight. Retries until it knows, or fails with {@code
   * CLOSED}.
   */
  Future<Session> renew();

  /**
   * Completes with every lease of the cell; a partition never owned is absent (it then needs no
   * znodes at all: they are made with the first claim or the first mailbox of the partition).
   */
  Future<Map<Partition, Lease>> leases();

  /** Completes with the leases of those partitions; one never owned is absent. */
  Future<Map<Partition, Lease>> leases(Set<Partition> partitions);

  /**
   * Returns the partitions whose lease the last {@link #leases} found but could not read, each with
   * its location and the defect. No node can own them until an operator repairs it.
   */
  default Map<Partition, String> unreadableLeases() {
    return Map.of();
  }

  /**
   * Takes a partition by compare-and-set with the epoch one higher.
   *
   * @param seen the lease as last read; empty for a partition never owned
   * @return the new lease; fails with {@code CONFLICT} if it changed meanwhile
   */
  Future<Lease> claim(Partition partition, Optional<Lease> seen);

  /**
   * Releases a partition, so that others need not wait for this node's session to end. Fails with
   * {@code CONFLICT} if the lease is not current.
   */
  Future<Void> release(Lease lease);

  /**
   * Completes with the record, names of the journal entries, outbox and the first segments of the
   * mailbox, all of one moment; creates nothing. Fails with {@code CONFLICT} if {@code lease} is
   * not current.
   */
  Future<Loaded> load(ActorPath actor, Lease lease);

  /**
   * Entries of a journal, in the order of {@code keys}; the caller limits how many at once. Fails
   * with {@code CONFLICT} if one of them is not there any more.
   */
  Future<List<byte[]>> entries(ActorPath actor, List<JournalKey> keys);

  /**
   * Completes with further segments from {@code fromSequence} on, at most {@link
   * Limits#READ_SEGMENTS} and {@link Limits#READ_BYTES}; empty if there are none.
   */
  Future<StoredMail> read(ActorPath actor, long fromSequence);

  /**
   * Reports that the owner of {@code actor} has that segment without having read it: what the store
   * must know of it to let it be consumed, so that it need not look. A hint; if it is wrong, the
   * commit that consumes the segment is refused as {@link CommitOutcome.Reason#STALE}.
   *
   * @param messages in it
   * @param bytes of it
   */
  default void known(ActorPath actor, long sequence, int messages, int bytes) {}

  /**
   * Applies {@code commit} whole or not at all; never fails, see {@link CommitOutcome}.
   *
   * <p>Several may be in flight: they are applied in the order of their numbers, and one whose
   * predecessor was not applied is not applied either. Nothing may be sent after a commit that was
   * not applied before the outcomes of all commits in flight are known.
   */
  Future<CommitOutcome> commit(Commit commit);

  /** Creates the mailbox and the empty record of {@code actor} if they do not exist. */
  Future<Void> createMailbox(ActorPath actor);

  /**
   * Removes actors of one partition of which nothing is left but a record and an empty mailbox; the
   * next message to one makes it anew, with other numbers. So it must be certain that no node still
   * reports mail that it had.
   *
   * <p>Each is removed whole or not at all, and only if at that moment {@code lease} and its record
   * are current, this node is in the incarnation in which it asked, and there is no more of the
   * actor (mail, journal entries, messages that wait for room or are parked). One that stays keeps
   * no other from being removed.
   *
   * @param lease under which this node owns the partition
   * @param records the last record that was read of each, {@link Limits#REMOVED_ACTORS} at most
   * @return those that are not known to be removed, each with the failure: {@code CONFLICT} if
   *     there is more of it, or its record is not current. Fails for all with {@code CONFLICT} if
   *     {@code lease} is not current, and with {@code UNAVAILABLE} if it is unknown what was
   *     removed, or this node has begun another incarnation
   */
  Future<Map<ActorPath, Throwable>> remove(Lease lease, Map<ActorPath, StoredRecord> records);

  /** Removes one actor, otherwise as {@link #remove(Lease, Map)}; fails if it stays. */
  default Future<Void> remove(ActorPath actor, Lease lease, StoredRecord record) {
    return remove(lease, Map.of(actor, record))
        .compose(
            stay -> {
              Throwable cause = stay.get(actor);
              return cause == null ? Future.succeededFuture() : Future.failedFuture(cause);
            });
  }

  /** Completes with the partitions for whose actors there are mailboxes, or were. */
  Future<Set<Partition>> partitions();

  /**
   * Completes with the actors of {@code partition} that have mail, or an outbox that is not empty.
   */
  Future<List<ActorPath>> withMail(Partition partition);

  /**
   * Passes on the stored actors within {@code prefix}, in no order, at most {@link
   * Limits#PAGE_ACTORS} at a time; one that is damaged hides no other. No more than one page is
   * held: the next is read when what {@code page} gives has completed.
   *
   * @param page called on any thread; what it fails with, the whole fails with
   */
  Future<Void> eachActor(ActorPath prefix, Function<StoredActors, Future<Void>> page);

  /**
   * Passes on the stored actors of one partition within {@code prefix}, otherwise as {@link
   * #eachActor(ActorPath, Function)}. If this node owns the partition, what former owners committed
   * is seen.
   */
  Future<Void> eachActor(
      ActorPath prefix, Partition partition, Function<StoredActors, Future<Void>> page);

  /**
   * Completes with a page of the stored actors within {@code prefix}, in the order of their paths;
   * a {@link StoredActors.Builder} says when it is full. No more than its records are held. Fails
   * with {@link IllegalArgumentException} if no page can have that limit.
   *
   * @param limit 1 to {@link Limits#PAGE_LIMIT} actors
   * @param after {@link StoredActors#next} of the page before, an actor that may be gone meanwhile;
   *     empty for the first page
   */
  Future<StoredActors> actors(ActorPath prefix, int limit, Optional<ActorPath> after);

  /**
   * Completes with those of some actors that are stored, in the order of {@code paths} and not of
   * one moment, but with all that any node wrote before this read; one that is damaged hides no
   * other.
   *
   * @param paths {@link Limits#PAGE_ACTORS} at most, each once
   */
  Future<StoredActors> actors(List<ActorPath> paths);

  /**
   * Completes with one stored actor; empty if there is none. Fails with {@code CORRUPT} if it is
   * damaged.
   */
  default Future<Optional<StoredActor>> actor(ActorPath path) {
    return actors(List.of(path))
        .map(
            found -> {
              String damage = found.unreadable().get(path);
              if (damage != null) {
                throw StoreException.corrupt(damage);
              }
              return found.readable().stream().findFirst();
            });
  }

  /** Completes with the stored failures of an actor, oldest first; empty if there are none. */
  Future<List<Failure>> failures(ActorPath actor);

  /**
   * Replaces the stored failures of an actor, which its deletion removes. Failures that do not fit
   * into {@link StoredFailures#MOST_BYTES} are dropped, the oldest first. Fails with {@code
   * CONFLICT} if {@code lease}, of its partition, is not current.
   */
  Future<Void> keepFailures(ActorPath actor, Lease lease, List<Failure> failures);

  /**
   * Completes with the failovers of each role that was ever held, oldest first; those that cannot
   * be read are left out.
   */
  Future<Map<String, List<Failover>>> failovers();

  /**
   * Replaces the failovers of a role; the last {@link StoredFailovers#MOST} stay. Fails with {@code
   * CONFLICT} if {@code lease}, of its partition, is not current, and may fail with {@code CORRUPT}
   * if those that are there could not be read.
   */
  Future<Void> keepFailovers(Lease lease, String role, List<Failover> failovers);

  /**
   * Completes with the document of a role: what its holder keeps beside its actor for anyone to
   * read, all that any holder wrote before this read included; empty if there is none.
   */
  Future<Optional<byte[]>> document(Partition role);

  /**
   * Replaces the document of the role that this node holds by {@code lease}; no commit touches it,
   * and nobody is told. Fails with {@code CONFLICT} if {@code lease} is not current, and if the
   * document has more than {@link Limits#DOCUMENT_BYTES}.
   */
  Future<Void> keepDocument(Lease lease, byte[] document);

  /**
   * Completes with the waiting segments of a mailbox, oldest first, at most {@code limit}; changes
   * nothing.
   */
  Future<List<StoredSegment>> peek(ActorPath actor, int limit);

  /** Completes with the parked messages of the cell, at most {@code limit}. */
  Future<List<StoredParked>> parked(int limit);

  /** Completes with one parked message; empty if it is gone. */
  Future<Optional<StoredParked>> parked(ParkedKey key);

  /**
   * Completes with the keys of the parked messages of the actors within {@code prefix}, in no
   * order; of the whole cell if empty.
   */
  Future<List<ParkedKey>> parkedKeys(Optional<ActorPath> prefix);

  /** Returns the bodies of large messages. */
  BlobStore blobs();

  /** Completes with the live nodes of the cell. */
  Future<List<Member>> members();

  /** Replaces the facts that this node publishes to the others ({@link Member#facts()}). */
  Future<Void> publish(Map<String, String> facts);

  /** Closes the session; the node releases its leases before. Idempotent. */
  Future<Void> close();
}
