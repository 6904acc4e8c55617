package io.callboard.store.memory;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Partition;
import io.callboard.store.BlobKey;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Failover;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.Member;
import io.callboard.store.NodeIdentity;
import io.callboard.store.PackedCommit;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredFailovers;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Failure;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cell in memory, which several {@link MemoryStore}s of one process share; it exists as long as
 * it is referenced. Thread-safe.
 */
public final class MemoryCell {
  /** Default number of partitions of each space. */
  public static final int DEFAULT_PARTITIONS = 64;

  private final int partitions;
  private final int mailboxLimit;
  private final Clock clock;
  private final Map<String, MemoryNode> nodes = new TreeMap<>();
  private final Map<Partition, Lease> leases = new HashMap<>();
  private final Map<ActorPath, MemoryActor> actors = new TreeMap<>();
  private final MemoryIndex index;
  private final Map<String, byte[]> failovers = new TreeMap<>();
  private final Map<Partition, byte[]> documents = new TreeMap<>();
  private long blobs;

  /** Creates a cell with the default limits. */
  public MemoryCell() {
    this(DEFAULT_PARTITIONS, Limits.MAILBOX_MESSAGES, Clock.systemUTC());
  }

  /**
   * Creates a cell.
   *
   * @param partitions of each space
   * @param mailboxLimit messages that wait in one mailbox before senders are refused, until its
   *     owner says otherwise
   * @param clock dates the joining of members and the changes of actors
   */
  public MemoryCell(int partitions, int mailboxLimit, Clock clock) {
    this.partitions = partitions;
    this.index = new MemoryIndex(partitions);
    this.mailboxLimit = mailboxLimit;
    this.clock = clock;
  }

  int partitions() {
    return partitions;
  }

  Clock clock() {
    return clock;
  }

  /** Returns the node of that name, live or not. */
  MemoryNode node(String name) {
    return nodes.computeIfAbsent(name, MemoryNode::new);
  }

  List<Member> members() {
    return nodes.values().stream().flatMap(node -> node.member().stream()).toList();
  }

  /** Returns every store that is live. */
  List<MemoryStore> live() {
    return nodes.values().stream().flatMap(node -> node.holder().stream()).toList();
  }

  // Leases.

  Map<Partition, Lease> leases() {
    return Map.copyOf(leases);
  }

  Map<Partition, Lease> leases(Set<Partition> some) {
    Map<Partition, Lease> found = new HashMap<>(leases);
    found.keySet().retainAll(some);
    return Map.copyOf(found);
  }

  Lease claim(Partition partition, Optional<Lease> seen, NodeIdentity by) {
    checkCurrent(partition, seen);
    long epoch = seen.map(Lease::epoch).orElse(0L) + 1;
    return put(partition, epoch, by.name(), by.bootId(), seen);
  }

  void release(Lease lease) {
    checkCurrent(lease.partition(), Optional.of(lease.handedTo("")));
    leases.put(lease.partition(), lease.released(clock.instant()));
  }

  Map<String, List<Failover>> failovers() {
    Map<String, List<Failover>> found = new TreeMap<>();
    failovers.forEach((role, bytes) -> found.put(role, failovers(role, bytes)));
    return found;
  }

  private static List<Failover> failovers(String role, byte[] bytes) {
    return StoredFailovers.decode("the failovers of role " + role, bytes).failovers();
  }

  void keepFailovers(Lease lease, String role, List<Failover> all) {
    checkCurrent(lease.partition(), Optional.of(lease));
    failovers.put(role, StoredFailovers.encode(role, all));
  }

  Optional<byte[]> document(Partition role) {
    return Optional.ofNullable(documents.get(role)).map(byte[]::clone);
  }

  void keepDocument(Lease lease, byte[] document) {
    Limits.checkDocument(document);
    checkCurrent(lease.partition(), Optional.of(lease));
    documents.put(lease.partition(), document.clone());
  }

  private Lease put(
      Partition partition, long epoch, String owner, String boot, Optional<Lease> before) {
    int version = before.map(lease -> StoredRecord.following(lease.version())).orElse(0);
    Lease lease = new Lease(partition, epoch, owner, boot, version, "", clock.instant());
    leases.put(partition, lease);
    return lease;
  }

  private void checkCurrent(Partition partition, Optional<Lease> seen) {
    if (!seen.equals(Optional.ofNullable(leases.get(partition)))) {
      throw StoreException.conflict("the lease of partition %s changed".formatted(partition));
    }
  }

  // Actors.

  private MemoryActor actor(ActorPath path) {
    return actors.getOrDefault(path, new MemoryActor(path, mailboxLimit));
  }

  private MemoryActor kept(ActorPath path) {
    return actors.computeIfAbsent(path, this::added);
  }

  private MemoryActor added(ActorPath path) {
    index.add(path);
    return new MemoryActor(path, mailboxLimit);
  }

  Loaded load(ActorPath path, Lease lease) {
    checkCurrent(lease.partition(), Optional.of(lease));
    return actor(path).load();
  }

  List<byte[]> entries(ActorPath path, List<JournalKey> keys) {
    return actor(path).entries(keys);
  }

  StoredMail read(ActorPath path, long fromSequence) {
    return actor(path).read(fromSequence);
  }

  List<Failure> failures(ActorPath path) {
    return actor(path).failures();
  }

  void keepFailures(ActorPath path, Lease lease, byte[] failures) {
    checkCurrent(lease.partition(), Optional.of(lease));
    kept(path).keepFailures(failures);
  }

  List<StoredSegment> peek(ActorPath path, int limit) {
    return actor(path).peek(limit);
  }

  Map<ActorPath, Throwable> remove(Lease lease, Map<ActorPath, StoredRecord> records) {
    Limits.checkActors(records.size(), Limits.REMOVED_ACTORS);
    checkCurrent(lease.partition(), Optional.of(lease));
    Map<ActorPath, Throwable> stay = new HashMap<>();
    records.forEach(
        (path, record) -> {
          MemoryActor actor = actor(path);
          if (actor.version() == record.version() && actor.isEmpty()) {
            actors.remove(path);
            index.remove(path);
          } else {
            String what = "%s is not empty, or has changed".formatted(path);
            stay.put(path, StoreException.conflict(what));
          }
        });
    return stay;
  }

  void createMailbox(ActorPath path) {
    kept(path).createMailbox(clock.instant());
  }

  /**
   * Makes an actor whose mailbox has come that far, for tests of what happens near the end of its
   * counter.
   */
  public synchronized void createMailboxAt(ActorPath path, long sequence) {
    kept(path).startAt(sequence);
  }

  Set<Partition> partitionsWithActors() {
    return index.partitionsWithActors();
  }

  List<ActorPath> withMail(Partition partition) {
    return index.withMail(partition);
  }

  /** Returns the actors within a prefix, in the order of their paths. */
  List<StoredActor> actors(ActorPath prefix) {
    List<StoredActor> found = new ArrayList<>();
    actors.forEach(
        (path, actor) -> {
          if (path.isWithin(prefix)) {
            actor.stored(partitions).ifPresent(found::add);
          }
        });
    return found;
  }

  /** Returns a page of the actors within a prefix. */
  StoredActors actors(ActorPath prefix, int limit, Optional<ActorPath> after) {
    StoredActors.Builder page = new StoredActors.Builder(limit);
    List<StoredActor> left =
        actors(prefix).stream()
            .filter(actor -> after.filter(it -> actor.path().compareTo(it) <= 0).isEmpty())
            .toList();
    List<ActorPath> paths = left.stream().map(StoredActor::path).toList();
    int taken = page.add(paths, new StoredActors(left, Map.of()));
    return page.build(taken < paths.size() ? Optional.of(paths.get(taken - 1)) : Optional.empty());
  }

  StoredActors stored(List<ActorPath> paths) {
    Limits.checkActors(paths.size(), Limits.PAGE_ACTORS);
    List<StoredActor> found =
        paths.stream().flatMap(path -> actor(path).stored(partitions).stream()).toList();
    return new StoredActors(found, Map.of());
  }

  List<StoredParked> parked(int limit) {
    return index.withParked().stream()
        .flatMap(path -> actor(path).parked().stream())
        .limit(limit)
        .toList();
  }

  Optional<StoredParked> parked(ParkedKey key) {
    return actor(key.actor()).parked(key.id());
  }

  List<ParkedKey> parkedKeys(Optional<ActorPath> prefix) {
    return index.withParked().stream()
        .filter(path -> prefix.isEmpty() || path.isWithin(prefix.get()))
        .flatMap(path -> actor(path).parked().stream().map(StoredParked::key))
        .toList();
  }

  // Blobs.

  BlobRef writeBlob(ActorPath receiver, byte[] body) {
    return writeBlob(receiver, "", body);
  }

  BlobRef keepBlob(ActorPath owner, byte[] content) {
    return writeBlob(owner, BlobRef.KEPT, content);
  }

  private BlobRef writeBlob(ActorPath actor, String end, byte[] body) {
    BlobRef blob = BlobRef.of("blob-" + ++blobs + end, body, Limits.MESSAGE_BYTES);
    kept(actor).writeBlob(blob.id(), body);
    return blob;
  }

  int releaseBlobs(ActorPath owner) {
    return actor(owner).releaseBlobs();
  }

  Optional<byte[]> blob(BlobKey key) {
    return actor(key.receiver()).blob(key.blob().id());
  }

  private boolean hasBlob(BlobKey key) {
    return actor(key.receiver()).hasBlob(key.blob().id());
  }

  void forsakeBlob(BlobKey key) {
    if (!hasBlob(key) || actor(key.receiver()).isNamed(key.blob().id())) {
      throw StoreException.conflict(key + " is gone, or a commit refers to it");
    }
    kept(key.receiver()).removeBlob(key.blob().id());
  }

  /** Harms the cell, for tests: the body is gone, what refers to it stays. */
  public synchronized void loseBlob(BlobKey key) {
    kept(key.receiver()).removeBlob(key.blob().id());
  }

  /** Returns the number of bodies of large messages, in use or not; for tests. */
  public synchronized int blobs() {
    return actors.values().stream().mapToInt(MemoryActor::blobs).sum();
  }

  // Committing.

  /** Applies or refuses a commit whose node's fences are passed; the cell's are checked here. */
  CommitOutcome commit(PackedCommit packed) {
    Optional<Refused> refused = fenced(packed.commit()).or(() -> obstacle(packed));
    if (refused.isPresent()) {
      return refused.get();
    }
    List<CommitUnit> units = packed.commit().units();
    Set<ActorPath> touched = new HashSet<>();
    for (int i = 0; i < units.size(); i++) {
      byte[] record = packed.records().get(i).orElse(new byte[0]);
      units
          .get(i)
          .write()
          .ifPresent(
              write -> {
                kept(write.actor()).apply(write, record, clock.instant());
                touched.add(write.actor());
              });
      units.get(i).unparked().forEach(key -> kept(key.actor()).unpark(key.id()));
      units.get(i).unparked().forEach(key -> touched.add(key.actor()));
      units.get(i).named().forEach(key -> kept(key.receiver()).name(key.blob().id()));
      units.get(i).blobs().forEach(key -> kept(key.receiver()).removeBlob(key.blob().id()));
    }
    Map<ActorPath, Long> appended = new LinkedHashMap<>();
    packed
        .mails()
        .forEach(
            mail ->
                appended.put(
                    mail.receiver(),
                    kept(mail.receiver()).append(mail.messages(), mail.bytes(), clock.instant())));
    touched.addAll(appended.keySet());
    touched.forEach(path -> index.update(path, kept(path)));
    return new Applied(appended);
  }

  private Optional<Refused> fenced(Commit commit) {
    for (int i = 0; i < commit.units().size(); i++) {
      Partition partition =
          commit.units().get(i).write().map(w -> w.actor().partition(partitions)).orElse(null);
      for (Lease lease : commit.leases()) {
        if (lease.partition().equals(partition) && !lease.equals(leases.get(partition))) {
          String detail = "partition %s has another owner".formatted(partition);
          return Optional.of(new Refused(i, Reason.FENCED, detail));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Refused> obstacle(PackedCommit packed) {
    Map<ActorPath, Integer> versions = new HashMap<>();
    Set<ParkedKey> unparked = new HashSet<>();
    Set<BlobKey> gone = new HashSet<>();
    List<CommitUnit> units = packed.commit().units();
    for (int i = 0; i < units.size(); i++) {
      if (units.get(i).write().isPresent()) {
        Write write = units.get(i).write().get();
        MemoryActor actor = actor(write.actor());
        int version = versions.getOrDefault(write.actor(), actor.version());
        boolean isFirst = write.isFirst() && actor.isUnwritten() && version <= 0;
        if (!(isFirst || version == write.expectedVersion()) || !actor.fits(write)) {
          return Optional.of(new Refused(i, Reason.STALE, write.actor().toString()));
        }
        versions.put(write.actor(), StoredRecord.following(write.expectedVersion()));
      }
      for (ParkedKey key : units.get(i).unparked()) {
        if (!unparked.add(key) || parked(key).isEmpty()) {
          return Optional.of(new Refused(i, Reason.STALE, key.toString()));
        }
      }
      for (BlobKey key : units.get(i).named()) {
        if (gone.contains(key) || !hasBlob(key)) {
          return Optional.of(Refused.lacking(key, i));
        }
      }
      gone.addAll(units.get(i).blobs());
    }
    for (PackedCommit.Mail mail : packed.mails()) {
      String receiver = mail.receiver().toString();
      MemoryActor actor = actor(mail.receiver());
      if (!actor.hasMailbox() && !versions.containsKey(mail.receiver())) {
        return Optional.of(new Refused(mail.unit(), Reason.NO_MAILBOX, receiver));
      }
      Optional<WhenFull> full = mail.own() ? Optional.empty() : actor.refusal();
      if (full.isPresent()) {
        return Optional.of(new Refused(mail.unit(), Reason.FULL, receiver, full.get()));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the store of the live node that owns the partition of that actor; empty if there is
   * none.
   */
  Optional<MemoryStore> ownerOf(ActorPath path) {
    Lease lease = leases.get(path.partition(partitions));
    return lease == null || lease.isFree()
        ? Optional.empty()
        : node(lease.owner()).holder().filter(store -> store.isBoot(lease.ownerBoot()));
  }
}
