package io.callboard.internal.unit;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.FeedEntry;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ParkedDelivery;
import io.callboard.codecs.Segment;
import io.callboard.codecs.UnknownFields;
import io.callboard.codecs.WrittenEvent;
import io.callboard.internal.outbox.OutboxDeliveries.GivenUp;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.internal.turn.FeedMessages;
import io.callboard.internal.turn.HandledMessage;
import io.callboard.internal.turn.OutboxEntryChange;
import io.callboard.internal.turn.Turn;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.Generation;
import io.callboard.store.JournalChange;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.MailboxHeader;
import io.callboard.store.OutboxChange;
import io.callboard.store.StoredSnapshot;
import io.callboard.supervision.Causes;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builder of the commit units that make the turns of an actor durable. */
@Machine
public final class CommitUnitBuilder {
  private final ActorPath path;
  private final ActorJournal journal;
  private final FeedMessages feeds;
  private final NewerState newer;
  private long sealed = -1;
  private long pendingSeal = -1;

  /** Basis of a unit: the stored record, and the lease to write it. */
  public record Basis(ActorRecord record, int version, Lease lease) {}

  public CommitUnitBuilder(ActorPath path, SnapshotPolicy snapshots, boolean archived) {
    this.path = path;
    this.journal = new ActorJournal(path, snapshots);
    this.feeds = new FeedMessages(path, archived);
    this.newer = new NewerState(path);
  }

  /** Returns the journal of the actor; empty if it writes no events. */
  public ActorJournal journal() {
    return journal;
  }

  /** Loads what was read of the actor. */
  public void loaded(ActorRecord record, List<JournalKey> entries) {
    sealed = -1;
    pendingSeal = -1;
    newer.begin(UnknownFields.NONE);
    journal.loaded(record, entries);
  }

  /** Sets the unknown fields that states written in place keep. */
  public void keep(UnknownFields fields) {
    newer.begin(fields);
  }

  /**
   * Builds the unit of turns.
   *
   * @param state the state that the turns wrote in place; null if they wrote none, or events
   * @param header the mailbox header from now on; null to leave it
   * @throws CallboardException {@code JOURNAL_FULL}
   */
  public CommitUnit turns(
      Basis basis,
      List<HandledMessage> turns,
      @Nullable Object state,
      @Nullable MailboxHeader header,
      Instant now) {
    ActorRecord before = basis.record();
    List<WrittenEvent> events = new ArrayList<>(journal.corrections());
    List<OutboxEntryChange> entries = new ArrayList<>(0);
    List<MailboxMessage> inputs = new ArrayList<>(turns.size());
    Set<BlobKey> blobs = new LinkedHashSet<>();
    for (HandledMessage handled : turns) {
      events.addAll(handled.turn().events());
      entries.addAll(handled.turn().entries());
      MailboxMessage mailboxMessage = handled.input();
      if (mailboxMessage != null) {
        inputs.add(mailboxMessage);
        if (mailboxMessage.blob() != null) {
          blobs.add(new BlobKey(path, mailboxMessage.blob()));
        }
      }
    }
    long turn = before.turn() + 1;
    Sent sent = new Sent(before.sent());
    boolean ends = deletes(turns) && journal.lastEvent() + events.size() > 0;
    // first: the feeds have the events before any receiver has a message about them
    feeds
        .of(turn, journal.lastEvent() + 1, now, events, ends)
        .forEach((feed, bodies) -> bodies.forEach(body -> sent.addTo(feed, body)));
    turns.forEach(handled -> handled.turn().outgoing().forEach(sent::add));
    ActorJournal.Pending change =
        deletes(turns) ? journal.delete() : journal.change(turn, events, now);
    blobs.addAll(change.gone());
    List<StoredSnapshot> snapshots =
        state == null || deletes(turns) ? change.snapshots() : List.of(inPlace(turn, state));
    Consumed consumed = consumed(before.consumed(), inputs);
    long begun = deletes(turns) ? turn : before.begun();
    ActorRecord record =
        new ActorRecord(
            turn,
            basis.lease().epoch(),
            consumed,
            sent.count,
            begun,
            snapshots,
            OutboxEntryChange.given(before.given(), entries));
    Write write =
        write(basis, record, emptied(inputs, consumed), change.change(), Map.of(), header);
    return new CommitUnit(
        Optional.of(write.withOutbox(OutboxEntryChange.written(entries))),
        sent.mail,
        Set.of(),
        blobs);
  }

  private StoredSnapshot inPlace(long turn, Object state) {
    return StoredSnapshot.inPlace(turn, MessageType.of(state.getClass()), newer.write(state));
  }

  /** Messages that one commit sends, numbered. */
  private final class Sent {
    private final Map<ActorPath, List<Envelope>> mail = new LinkedHashMap<>();
    private long count;

    /**
     * @param before the number of messages sent before
     */
    Sent(long before) {
      count = before;
    }

    void add(Turn.Outgoing message) {
      add(message.receiver(), message.envelope().withId(next()));
    }

    void addTo(ActorPath feed, byte[] body) {
      add(feed, new Envelope(next(), FeedEntry.TYPE, body, null));
    }

    private MessageId next() {
      return new MessageId(path.toString(), ++count);
    }

    private void add(ActorPath receiver, Envelope envelope) {
      mail.computeIfAbsent(receiver, to -> new ArrayList<>()).add(envelope);
    }
  }

  /** Returns whether the actor deletes itself with these turns, and begins anew. */
  public static boolean deletes(List<HandledMessage> turns) {
    return !turns.isEmpty() && turns.get(turns.size() - 1).turn().deletes();
  }

  private static Consumed consumed(Consumed before, List<MailboxMessage> inputs) {
    Consumed consumed = before;
    Stretch stretch = null;
    for (MailboxMessage mailboxMessage : inputs) {
      Stretch next = mailboxMessage.stretch();
      if (stretch != null && !stretch.isFollowedBy(next)) {
        consumed = consumed.with(stretch);
        stretch = next;
      } else {
        stretch = stretch == null ? next : stretch.and(next);
      }
    }
    return stretch == null ? consumed : consumed.with(stretch);
  }

  /** Segments of {@code inputs} that are wholly consumed now. */
  private static List<Long> emptied(List<MailboxMessage> inputs, Consumed consumed) {
    return inputs.stream()
        .map(MailboxMessage::sequence)
        .distinct()
        .filter(consumed::containsAll)
        .toList();
  }

  /** Builds the write, with the changes that the generations of the mailbox need. */
  private Write write(
      Basis basis,
      ActorRecord record,
      List<Long> consumed,
      JournalChange change,
      Map<String, byte[]> parked,
      @Nullable MailboxHeader header) {
    long generation = Generation.of(record.next());
    List<Long> emptied =
        LongStream.range(Generation.of(basis.record().next()), generation).boxed().toList();
    boolean seal =
        Generation.number(record.next()) >= Generation.LAST_NUMBER && generation > sealed;
    if (seal) {
      pendingSeal = generation;
    }
    return new Write(
        path,
        basis.version(),
        record,
        consumed,
        change,
        parked,
        header,
        seal,
        emptied,
        OutboxChange.NONE);
  }

  /** Applies the last unit, which is durable. */
  public void committed(ActorRecord written) {
    journal.committed(written);
    sealed = pendingSeal;
  }

  /**
   * Builds the unit that parks a message with its cause; its blob stays.
   *
   * @param timer the change of the durable timer whose message it is; null if there is none
   */
  public CommitUnit park(
      Basis basis,
      MailboxMessage mailboxMessage,
      Throwable cause,
      int attempts,
      @Nullable MailboxHeader header,
      @Nullable OutboxEntryChange timer) {
    ActorRecord before = basis.record();
    Consumed consumed = before.consumed().with(mailboxMessage.stretch());
    ActorRecord record =
        new ActorRecord(
            before.turn() + 1,
            basis.lease().epoch(),
            consumed,
            before.sent(),
            before.begun(),
            before.snapshots(),
            before.given());
    Map<String, byte[]> parked =
        Map.of(mailboxMessage.id(), parked(mailboxMessage, cause, attempts));
    List<Long> emptied = emptied(List.of(mailboxMessage), consumed);
    Write write = write(basis, record, emptied, JournalChange.NONE, parked, header);
    return new CommitUnit(
        Optional.of(write.withOutbox(OutboxEntryChange.written(Stream.ofNullable(timer).toList()))),
        Map.of());
  }

  private static byte[] parked(MailboxMessage mailboxMessage, Throwable cause, int attempts) {
    String why = Causes.text(cause);
    if (mailboxMessage.segment() != null) {
      UnreadableSegment raw = UnreadableSegment.of(mailboxMessage.segment());
      return Json.uncheckedBytes(new Parked(Parked.SEGMENT_FORMAT, attempts, why, null, raw));
    }
    JsonNode envelope =
        mailboxMessage.envelope() == null ? null : Segment.encode(mailboxMessage.envelope());
    int format = mailboxMessage.blob() == null ? Parked.INLINE_FORMAT : Parked.BLOB_FORMAT;
    return Json.uncheckedBytes(new Parked(format, attempts, why, envelope, null));
  }

  /** Encodes a delivery that is given up as a parked message. */
  public static byte[] parked(GivenUp given) {
    DeliveryEntry entry = given.entry();
    ParkedDelivery kept = new ParkedDelivery(given.number(), entry.to(), entry.message());
    JsonNode envelope = Segment.encode(kept.envelope());
    int attempts = entry.attempts();
    return Json.uncheckedBytes(
        new Parked(
            Parked.INLINE_FORMAT, attempts, Causes.cut(given.why(), Causes.MOST), envelope, null));
  }

  /**
   * Stored form of a parked message, in the oldest format that can hold it, so that older nodes
   * read what they can.
   *
   * @param envelope null if the whole segment could not be read
   * @param segment the segment that could not be read; else null
   */
  public record Parked(
      int f,
      int attempts,
      String cause,
      @Nullable JsonNode envelope,
      @Nullable UnreadableSegment segment) {
    public static final int FORMAT = 3;

    /** Format with a segment that could not be read. */
    static final int SEGMENT_FORMAT = 3;

    /** Format of a message whose body is in the blob log. */
    static final int BLOB_FORMAT = 2;

    /** Format with the body, or nothing of the message. */
    static final int INLINE_FORMAT = 1;
  }
}
