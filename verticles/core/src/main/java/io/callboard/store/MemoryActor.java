package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitUnit.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that a {@link MemoryCell} holds of one actor. Guarded by the cell. */
final class MemoryActor {
  private final ActorPath path;
  private byte @Nullable [] record;
  private int version = Write.NEW;
  private Instant changed = Instant.EPOCH;
  private boolean hasMailbox;
  private boolean full;
  private long nextSequence;
  private final NavigableMap<Long, StoredSegment> segments = new TreeMap<>();
  private final NavigableMap<Long, byte[]> journal = new TreeMap<>();
  private final Map<String, byte[]> parked = new TreeMap<>();

  MemoryActor(ActorPath path) {
    this.path = path;
  }

  int version() {
    return version;
  }

  boolean hasMailbox() {
    return hasMailbox;
  }

  /** Whether senders are refused. */
  boolean isFull(int limit) {
    return full || segments.size() >= limit;
  }

  boolean hasMail() {
    return !segments.isEmpty();
  }

  /** Whether what {@code write} takes away is there, and what it adds is not. */
  boolean fits(Write write) {
    return segments.keySet().containsAll(write.consumed())
        && journal.keySet().containsAll(write.trim())
        && (write.journal() == null || !journal.containsKey(write.record().turn()))
        && write.parked().keySet().stream().noneMatch(parked::containsKey);
  }

  void apply(Write write, byte[] bytes, Instant now) {
    record = bytes;
    version = StoredRecord.following(version);
    changed = now;
    write.consumed().forEach(segments::remove);
    write.trim().forEach(journal::remove);
    if (write.journal() != null) {
      journal.put(write.record().turn(), write.journal());
    }
    parked.putAll(write.parked());
    if (write.full() != null) {
      full = write.full();
    }
    long generation = Generation.of(write.record().next());
    if (write.seal() && Generation.of(nextSequence) == generation) {
      nextSequence = Generation.sequence(generation + 1, 0);
    }
  }

  /** As if that many segments had been there and gone, for tests of the end of the counter. */
  void startAt(long sequence) {
    nextSequence = sequence;
    record = new ActorRecord(0, 0, sequence, 0, 0, 0, null, null).encode();
    version = 0;
    hasMailbox = true;
  }

  long append(byte[] segment, Instant now) {
    segments.put(nextSequence, new StoredSegment(nextSequence, segment, now));
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
    long from = stored.map(found -> found.record().journalFrom()).orElse(0L);
    List<byte[]> entries = List.copyOf(journal.tailMap(from, false).values());
    return new Loaded(stored, entries, read(0), segments.size());
  }

  List<StoredSegment> read(long fromSequence) {
    List<StoredSegment> read = new ArrayList<>();
    long bytes = 0;
    for (StoredSegment segment : segments.tailMap(fromSequence).values()) {
      bytes += segment.bytes().length;
      if (read.size() == Limits.READ_SEGMENTS || (bytes > Limits.READ_BYTES && !read.isEmpty())) {
        break;
      }
      read.add(segment);
    }
    return read;
  }

  List<StoredSegment> peek(int limit) {
    return segments.values().stream().limit(limit).toList();
  }

  /** Empty if it has no record. */
  Optional<StoredActor> stored(int partitions) {
    return decoded()
        .map(
            found ->
                new StoredActor(path, path.partition(partitions), found, segments.size(), changed));
  }

  Optional<StoredParked> parked(String id) {
    return Optional.ofNullable(parked.get(id)).map(bytes -> new StoredParked(path, id, bytes));
  }

  void unpark(String id) {
    parked.remove(id);
  }

  List<StoredParked> parked() {
    return parked.entrySet().stream()
        .map(entry -> new StoredParked(path, entry.getKey(), entry.getValue()))
        .toList();
  }
}
