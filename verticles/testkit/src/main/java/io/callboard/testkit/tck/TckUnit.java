package io.callboard.testkit.tck;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Consumed;
import io.callboard.store.JournalChange;
import io.callboard.store.JournalKey;
import io.callboard.store.MailboxHeader;
import io.callboard.store.OutboxChange;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredSegment;
import io.callboard.store.StoredSnapshot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builder of the commit units of the cases. */
final class TckUnit {
  private final ActorPath actor;
  private final int version;
  private ActorRecord record;
  private List<Long> consumed = List.of();
  private JournalChange journal = JournalChange.NONE;
  private final Map<String, byte[]> parked = new LinkedHashMap<>();
  private @Nullable MailboxHeader header;
  private OutboxChange outbox = OutboxChange.NONE;
  private boolean seal;
  private List<Long> emptied = List.of();
  private final Map<ActorPath, List<Envelope>> outgoing = new LinkedHashMap<>();
  private Set<BlobKey> blobs = Set.of();

  private TckUnit(ActorPath actor, int version, ActorRecord record) {
    this.actor = actor;
    this.version = version;
    this.record = record;
  }

  /** Begins a turn of {@code actor} whose record was read with {@code version}. */
  static TckUnit turn(ActorPath actor, int version, long turn) {
    return new TckUnit(actor, version, new ActorRecord(turn, 1, 0, 0, 0, List.of()));
  }

  /** Returns a unit that tells messages from outside. */
  static CommitUnit tell(ActorPath to, String from, long... numbers) {
    return new CommitUnit(Optional.empty(), Map.of(to, envelopes(from, numbers)));
  }

  /** Returns a unit that discards a parked message. */
  static CommitUnit discard(ActorPath actor, String id) {
    return new CommitUnit(Optional.empty(), Map.of(), Set.of(new ParkedKey(actor, id)));
  }

  /**
   * Returns a unit that removes a parked message and puts {@code from#number} into the mailbox of
   * its actor.
   */
  static CommitUnit replay(ActorPath actor, String id, String from, long number) {
    return new CommitUnit(
        Optional.empty(), Map.of(actor, envelopes(from, number)), Set.of(new ParkedKey(actor, id)));
  }

  /** Returns a unit that tells a message of about that size from outside. */
  static CommitUnit tellBytes(ActorPath to, int bytes) {
    JsonNode body = JsonNodeFactory.instance.textNode("x".repeat(bytes));
    Envelope envelope =
        new Envelope(
            new MessageId("outside", 1), new MessageType("note", 1), Json.bytes(body), null);
    return new CommitUnit(Optional.empty(), Map.of(to, List.of(envelope)));
  }

  /** Returns a unit that tells a large message from outside, whose body is written. */
  static CommitUnit tellBlob(BlobKey key, long number) {
    Envelope envelope =
        new Envelope(
            new MessageId("outside", number), new MessageType("note", 1), key.blob(), null);
    return new CommitUnit(Optional.empty(), Map.of(key.receiver(), List.of(envelope)));
  }

  private static List<Envelope> envelopes(String from, long... numbers) {
    List<Envelope> envelopes = new ArrayList<>();
    for (long number : numbers) {
      JsonNode body = JsonNodeFactory.instance.numberNode(number);
      envelopes.add(
          new Envelope(
              new MessageId(from, number), new MessageType("note", 1), Json.bytes(body), null));
    }
    return envelopes;
  }

  /** Returns the messages of a segment as {@code sender#number}. */
  static List<String> ids(StoredSegment segment) {
    return Segment.decode("a segment", segment.bytes()).stream()
        .map(envelope -> envelope.id().toString())
        .toList();
  }

  /** Consumes everything before {@code offset} of segment {@code next}. */
  TckUnit upTo(long next, int offset, Long... segments) {
    record = new ActorRecord(record.turn(), record.epoch(), next, offset, 0, record.snapshots());
    consumed = List.of(segments);
    return this;
  }

  /** Consumes those positions, and with them those complete segments. */
  TckUnit consumes(Consumed all, Long... segments) {
    record = new ActorRecord(record.turn(), record.epoch(), all, 0, 0, record.snapshots());
    consumed = List.of(segments);
    return this;
  }

  TckUnit journal(String entry) {
    byte[] bytes = entry.getBytes(StandardCharsets.UTF_8);
    journal = new JournalChange(bytes, 1, journal.trim(), journal.snapshot());
    return this;
  }

  /** Returns the key of an entry with that text. */
  static JournalKey key(long turn, String entry) {
    return new JournalKey(turn, 1, entry.getBytes(StandardCharsets.UTF_8).length);
  }

  /** Adds a snapshot in the blob log, which replaces all earlier events. */
  TckUnit snapshot(BlobKey blob) {
    StoredSnapshot snapshot =
        new StoredSnapshot(
            record.turn(), 1, Instant.EPOCH, new MessageType("state", 1), null, blob.blob());
    record =
        new ActorRecord(
            record.turn(), record.epoch(), record.consumed(), record.sent(), 0, List.of(snapshot));
    journal = new JournalChange(journal.entry(), 1, journal.trim(), blob.blob());
    return this;
  }

  /** Adds a snapshot that replaces the journal entries of those names, which are deleted. */
  TckUnit snapshot(JsonNode state, JournalKey... entries) {
    record =
        new ActorRecord(
            record.turn(),
            record.epoch(),
            record.next(),
            record.offset(),
            record.sent(),
            List.of(
                new StoredSnapshot(
                    record.turn(), 0, Instant.EPOCH, new MessageType("state", 1), state, null)));
    journal =
        new JournalChange(journal.entry(), journal.events(), List.of(entries), journal.snapshot());
    return this;
  }

  /** Deletes journal entries. */
  TckUnit trims(JournalKey... entries) {
    journal =
        new JournalChange(journal.entry(), journal.events(), List.of(entries), journal.snapshot());
    return this;
  }

  TckUnit parks(String id, String what) {
    parked.put(id, what.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  TckUnit header(MailboxHeader value) {
    header = value;
    return this;
  }

  TckUnit outbox(OutboxChange change) {
    outbox = change;
    return this;
  }

  TckUnit full(boolean value) {
    header = MailboxHeader.NEW.with(value);
    return this;
  }

  /** Seals the generation of the next segment. */
  TckUnit seals() {
    seal = true;
    return this;
  }

  TckUnit empties(Long... generations) {
    emptied = List.of(generations);
    return this;
  }

  TckUnit sends(ActorPath to, long... numbers) {
    outgoing.put(to, envelopes(actor.toString(), numbers));
    return this;
  }

  /** Removes bodies of large messages that are not needed any more. */
  TckUnit removes(BlobKey... keys) {
    blobs = Set.of(keys);
    return this;
  }

  ActorRecord record() {
    return record;
  }

  CommitUnit unit() {
    return new CommitUnit(
        Optional.of(
            new Write(
                actor, version, record, consumed, journal, parked, header, seal, emptied, outbox)),
        outgoing,
        Set.of(),
        blobs);
  }
}
