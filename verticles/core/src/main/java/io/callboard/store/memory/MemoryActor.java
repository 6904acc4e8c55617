package io.callboard.store.memory;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.store.ActorRecord;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Generation;
import io.callboard.store.JournalKey;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.StoreException;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredFailures;
import io.callboard.store.StoredMail;
import io.callboard.store.StoredOutbox;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSegment;
import io.callboard.store.WhenFull;
import io.callboard.supervision.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Data that a {@link MemoryCell} holds of one actor. Guarded by the cell. */
final class MemoryActor {
  private final ActorPath path;
  private byte @Nullable [] record;
  private byte @Nullable [] failures;
  private int version = Write.NEW;
  private Instant changed = Instant.EPOCH;
  private boolean hasMailbox;
  private MailboxHeader header;
  private long waiting;
  private long nextSequence;
  private final NavigableMap<Long, Packed> segments = new TreeMap<>();
  private final NavigableMap<Long, byte[]> outbox = new TreeMap<>();
  private final NavigableMap<JournalKey, byte[]> journal =
      new TreeMap<>(
          Comparator.comparingLong(JournalKey::turn)
              .thenComparingInt(JournalKey::events)
              .thenComparingInt(JournalKey::bytes));
  private final Map<String, byte[]> parked = new TreeMap<>();
  private final Map<String, byte[]> blobs = new TreeMap<>();
  private final Set<String> named = new HashSet<>();

  private record Packed(int messages, StoredSegment segment) {}

  /**
   * Creates an actor without a record.
   *
   * @param limit of its mailbox, until its owner says otherwise
   */
  MemoryActor(ActorPath path, int limit) {
    this.path = path;
    this.header = MailboxHeader.of(limit);
  }

  int version() {
    return version;
  }

  /** Returns whether its owner has never written it: at most a sender made its mailbox. */
  boolean isUnwritten() {
    return record == null || (version == 0 && Arrays.equals(record, ActorRecord.EMPTY.encode()));
  }

  boolean hasMailbox() {
    return hasMailbox;
  }

  /** Returns the policy for senders that are refused; empty if the mailbox takes messages. */
  Optional<WhenFull> refusal() {
    boolean full =
        header.full() || waiting >= header.limit() || segments.size() >= Limits.MAILBOX_SEGMENTS;
    return full ? Optional.of(header.whenFull()) : Optional.empty();
  }

  /** Returns whether the actor has mail, or messages of its own that wait for room. */
  boolean hasMail() {
    return !segments.isEmpty() || !outbox.isEmpty();
  }

  /** Returns whether the actor has nothing but a record, and perhaps a history. */
  boolean isEmpty() {
    return segments.isEmpty()
        && outbox.isEmpty()
        && journal.isEmpty()
        && parked.isEmpty()
        && blobs.isEmpty();
  }

  /** Returns whether everything that {@code write} removes is there, and nothing that it adds. */
  boolean fits(Write write) {
    return segments.keySet().containsAll(write.consumed())
        && journal.keySet().containsAll(write.journal().trim())
        && !hasEntry(write)
        && write.outbox().made().keySet().stream().noneMatch(outbox::containsKey)
        && outbox.keySet().containsAll(write.outbox().kept().keySet())
        && outbox.keySet().containsAll(write.outbox().gone())
        && write.parked().keySet().stream().noneMatch(parked::containsKey);
  }

  private boolean hasEntry(Write write) {
    byte[] entry = write.journal().entry();
    return entry != null && journal.containsKey(write.journal().key(write.record().turn(), entry));
  }

  void apply(Write write, byte[] bytes, Instant now) {
    record = bytes;
    hasMailbox |= write.isFirst();
    version = StoredRecord.following(write.expectedVersion());
    changed = now;
    for (long sequence : write.consumed()) {
      Packed consumed = segments.remove(sequence);
      waiting -= consumed == null ? 0 : consumed.messages();
    }
    write.journal().trim().forEach(journal::remove);
    byte[] entry = write.journal().entry();
    if (entry != null) {
      journal.put(write.journal().key(write.record().turn(), entry), entry);
    }
    parked.putAll(write.parked());
    outbox.putAll(write.outbox().made());
    outbox.putAll(write.outbox().kept());
    outbox.keySet().removeAll(write.outbox().gone());
    if (write.header() != null) {
      header = write.header();
    }
    long generation = Generation.of(write.record().next());
    if (write.seal() && Generation.of(nextSequence) == generation) {
      nextSequence = Generation.sequence(generation + 1, 0);
    }
  }

  /** Sets the counter of segments as if that many had been there and gone, for tests of its end. */
  void startAt(long sequence) {
    nextSequence = sequence;
    record = new ActorRecord(0, 0, sequence, 0, 0, List.of()).encode();
    version = 0;
    hasMailbox = true;
  }

  long append(int messages, byte[] bytes, Instant now) {
    waiting += messages;
    segments.put(nextSequence, new Packed(messages, new StoredSegment(nextSequence, bytes, now)));
    return nextSequence++;
  }

  void createMailbox(Instant now) {
    if (record == null) {
      record = ActorRecord.EMPTY.encode();
      version = 0;
      changed = now;
    }
    hasMailbox = true;
  }

  private Optional<ActorRecord> decoded() {
    return record == null
        ? Optional.empty()
        : Optional.of(ActorRecord.decode("the record of " + path, record));
  }

  Loaded load() {
    Optional<StoredRecord> stored = decoded().map(found -> new StoredRecord(found, version));
    List<JournalKey> entries = List.copyOf(journal.keySet());
    List<StoredOutbox> sent =
        outbox.entrySet().stream().map(e -> new StoredOutbox(e.getKey(), e.getValue())).toList();
    return new Loaded(stored, entries, read(0), header, sent);
  }

  /**
   * Returns the entries of those keys.
   *
   * @throws StoreException if one is not there
   */
  List<byte[]> entries(List<JournalKey> keys) {
    List<byte[]> entries = new ArrayList<>();
    for (JournalKey key : keys) {
      byte[] entry = journal.get(key);
      if (entry == null) {
        throw StoreException.conflict("%s has no journal entry %s any more".formatted(path, key));
      }
      entries.add(entry);
    }
    return entries;
  }

  StoredMail read(long fromSequence) {
    List<StoredSegment> read = new ArrayList<>();
    long bytes = 0;
    for (Packed packed : segments.tailMap(fromSequence).values()) {
      StoredSegment segment = packed.segment();
      bytes += segment.bytes().length;
      if (read.size() == Limits.READ_SEGMENTS || (bytes > Limits.READ_BYTES && !read.isEmpty())) {
        break;
      }
      read.add(segment);
    }
    long messages =
        segments.tailMap(fromSequence).values().stream().mapToLong(Packed::messages).sum();
    return new StoredMail(read, segments.tailMap(fromSequence).size(), messages);
  }

  List<StoredSegment> peek(int limit) {
    return segments.values().stream().limit(limit).map(Packed::segment).toList();
  }

  /** Returns the actor as it is stored; empty if it has no record. */
  Optional<StoredActor> stored(int partitions) {
    return decoded()
        .map(
            found ->
                new StoredActor(path, path.partition(partitions), found, segments.size(), changed));
  }

  List<Failure> failures() {
    return failures == null
        ? List.of()
        : StoredFailures.decode("the failures of " + path, failures);
  }

  void keepFailures(byte[] next) {
    failures = next;
  }

  Optional<StoredParked> parked(String id) {
    return Optional.ofNullable(parked.get(id)).map(bytes -> new StoredParked(path, id, bytes));
  }

  void unpark(String id) {
    parked.remove(id);
  }

  boolean hasParked() {
    return !parked.isEmpty();
  }

  List<StoredParked> parked() {
    return parked.entrySet().stream()
        .map(entry -> new StoredParked(path, entry.getKey(), entry.getValue()))
        .toList();
  }

  // The bodies of large messages to it.

  void writeBlob(String id, byte[] body) {
    blobs.put(id, body.clone());
  }

  Optional<byte[]> blob(String id) {
    return Optional.ofNullable(blobs.get(id)).map(byte[]::clone);
  }

  int blobs() {
    return blobs.size();
  }

  /** Removes what the actor keeps; returns how many. */
  int releaseBlobs() {
    int before = blobs.size();
    blobs.keySet().removeIf(id -> id.endsWith(BlobRef.KEPT));
    return before - blobs.size();
  }

  boolean hasBlob(String id) {
    return blobs.containsKey(id);
  }

  void name(String id) {
    named.add(id);
  }

  boolean isNamed(String id) {
    return named.contains(id);
  }

  void removeBlob(String id) {
    blobs.remove(id);
    named.remove(id);
  }
}
