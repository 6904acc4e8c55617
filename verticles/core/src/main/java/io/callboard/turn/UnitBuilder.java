package io.callboard.turn;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Journal;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.Segment;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.Generation;
import io.callboard.store.Lease;
import io.callboard.store.MailboxHeader;
import io.callboard.store.OutboxChange;
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

/**
 * Turns what an actor's handlers did into the unit that makes it durable. Keeps count of the
 * journal entries that the record's state does not cover yet.
 */
final class UnitBuilder {
  /** Bytes of journal entries after which the state is written although entries are few. */
  static final int JOURNAL_BYTES = 128 << 10;

  /** Characters of a cause that are kept with a parked message. */
  private static final int CAUSE_CHARS = 4_096;

  private final ActorPath path;
  private final int snapshotEvery;
  private final List<Long> journalTurns = new ArrayList<>();
  private long journalBytes;
  private int pendingJournal;
  private boolean pendingSnapshot;
  private long sealed = -1;
  private long pendingSeal = -1;

  UnitBuilder(ActorPath path, int snapshotEvery) {
    this.path = path;
    this.snapshotEvery = snapshotEvery;
  }

  /** The actor was read. */
  void loaded(List<byte[]> journal) {
    sealed = -1;
    pendingSeal = -1;
    journalTurns.clear();
    journalBytes = 0;
    for (byte[] entry : journal) {
      journalTurns.add(Journal.turn("a journal entry of " + path, entry));
      journalBytes += entry.length;
    }
  }

  /**
   * @param state as of the last turn
   * @param header what senders are told from now on; null to leave it
   */
  CommitUnit turns(
      ActorRecord before,
      int version,
      Lease lease,
      List<Handled> turns,
      boolean persistent,
      @Nullable Object state,
      @Nullable MailboxHeader header) {
    List<Object> events = new ArrayList<>();
    List<TimerChange> timers = new ArrayList<>(0);
    List<Input> inputs = new ArrayList<>(turns.size());
    Map<ActorPath, List<Envelope>> outgoing = new LinkedHashMap<>();
    Set<BlobKey> blobs = new LinkedHashSet<>();
    long sent = before.sent();
    boolean changed = false;
    for (Handled handled : turns) {
      Turn turn = handled.turn();
      events.addAll(turn.events());
      timers.addAll(turn.timers());
      changed |= turn.state() != null;
      for (Turn.Outgoing message : turn.outgoing()) {
        MessageId id = new MessageId(path.toString(), ++sent);
        outgoing
            .computeIfAbsent(message.receiver(), to -> new ArrayList<>())
            .add(message.envelope().withId(id));
      }
      Input input = handled.input();
      if (input != null) {
        inputs.add(input);
        if (input.blob() != null) {
          blobs.add(new BlobKey(path, input.blob()));
        }
      }
    }
    long turn = before.turn() + 1;
    boolean snapshot = persistent ? snapshotDue(events) : changed;
    byte[] journal =
        persistent && !snapshot && !events.isEmpty() ? Journal.encode(turn, events) : null;
    List<Long> trim = snapshot ? List.copyOf(journalTurns) : List.of();
    Consumed consumed = consumed(before.consumed(), inputs);
    ActorRecord record = record(before, turn, lease, consumed, sent, snapshot ? state : null);
    pendingJournal = journal == null ? 0 : journal.length;
    pendingSnapshot = snapshot;
    Write write =
        write(before, version, record, emptied(inputs, consumed), journal, trim, Map.of(), header);
    return new CommitUnit(
        Optional.of(write.withOutbox(TimerChange.written(timers))), outgoing, Set.of(), blobs);
  }

  private static Consumed consumed(Consumed before, List<Input> inputs) {
    Consumed consumed = before;
    Stretch stretch = null;
    for (Input input : inputs) {
      Stretch next = input.stretch();
      if (stretch != null && !stretch.isFollowedBy(next)) {
        consumed = consumed.with(stretch);
        stretch = next;
      } else {
        stretch = stretch == null ? next : stretch.and(next);
      }
    }
    return stretch == null ? consumed : consumed.with(stretch);
  }

  /** The segments of {@code inputs} that are wholly consumed now. */
  private static List<Long> emptied(List<Input> inputs, Consumed consumed) {
    return inputs.stream().map(Input::sequence).distinct().filter(consumed::containsAll).toList();
  }

  /** With what the generations of the mailbox need. */
  private Write write(
      ActorRecord before,
      int version,
      ActorRecord record,
      List<Long> consumed,
      byte @Nullable [] journal,
      List<Long> trim,
      Map<String, byte[]> parked,
      @Nullable MailboxHeader header) {
    long generation = Generation.of(record.next());
    List<Long> emptied =
        LongStream.range(Generation.of(before.next()), generation).boxed().toList();
    boolean seal =
        Generation.number(record.next()) >= Generation.LAST_NUMBER && generation > sealed;
    if (seal) {
      pendingSeal = generation;
    }
    return new Write(
        path,
        version,
        record,
        consumed,
        journal,
        trim,
        parked,
        header,
        seal,
        emptied,
        OutboxChange.NONE);
  }

  private boolean snapshotDue(List<Object> events) {
    return !events.isEmpty()
        && (journalTurns.size() + 1 >= snapshotEvery || journalBytes >= JOURNAL_BYTES);
  }

  /** The last unit is durable. */
  void committed(ActorRecord written) {
    if (pendingSnapshot) {
      journalTurns.clear();
      journalBytes = 0;
    } else if (pendingJournal > 0) {
      journalTurns.add(written.turn());
      journalBytes += pendingJournal;
    }
    pendingSnapshot = false;
    pendingJournal = 0;
    sealed = pendingSeal;
  }

  /**
   * Puts one message aside with its cause; its blob stays.
   *
   * @param timer what becomes of the durable timer that it is of; null if it is of none
   */
  CommitUnit park(
      ActorRecord before,
      int version,
      Lease lease,
      Input input,
      Throwable cause,
      int attempts,
      @Nullable MailboxHeader header,
      @Nullable TimerChange timer) {
    pendingJournal = 0;
    pendingSnapshot = false;
    Consumed consumed = before.consumed().with(input.stretch());
    ActorRecord record = record(before, before.turn() + 1, lease, consumed, before.sent(), null);
    Map<String, byte[]> parked = Map.of(input.id(), parked(input, cause, attempts));
    Write write =
        write(
            before,
            version,
            record,
            emptied(List.of(input), consumed),
            null,
            List.of(),
            parked,
            header);
    return new CommitUnit(
        Optional.of(write.withOutbox(TimerChange.written(Stream.ofNullable(timer).toList()))),
        Map.of());
  }

  private static byte[] parked(Input input, Throwable cause, int attempts) {
    String why = brief(String.valueOf(cause));
    if (input.segment() != null) {
      RawSegment raw = RawSegment.of(input.segment());
      return Json.uncheckedBytes(new Parked(Parked.SEGMENT_FORMAT, attempts, why, null, raw));
    }
    JsonNode envelope = input.envelope() == null ? null : Segment.encode(input.envelope());
    int format = input.blob() == null ? Parked.INLINE_FORMAT : Parked.BLOB_FORMAT;
    return Json.uncheckedBytes(new Parked(format, attempts, why, envelope, null));
  }

  /** A cause may quote the message that it is about, however large. */
  private static String brief(String cause) {
    return cause.length() <= CAUSE_CHARS
        ? cause
        : "%s… (%d characters)".formatted(cause.substring(0, CAUSE_CHARS), cause.length());
  }

  /**
   * How a parked message is stored; in the oldest format that can hold it, so that older nodes read
   * what they can.
   *
   * @param envelope null if the whole segment could not be read
   * @param segment that one
   */
  record Parked(
      int f,
      int attempts,
      String cause,
      @Nullable JsonNode envelope,
      @Nullable RawSegment segment) {
    static final int FORMAT = 3;

    /** With a segment that could not be read. */
    static final int SEGMENT_FORMAT = 3;

    /** Its body is in the blob log. */
    static final int BLOB_FORMAT = 2;

    /** With its body, or nothing of what was sent. */
    static final int INLINE_FORMAT = 1;
  }

  private static ActorRecord record(
      ActorRecord before,
      long turn,
      Lease lease,
      Consumed consumed,
      long sent,
      @Nullable Object state) {
    if (state == null) {
      return new ActorRecord(
          turn,
          lease.epoch(),
          consumed,
          sent,
          before.journalFrom(),
          before.stateType(),
          before.state());
    }
    return new ActorRecord(
        turn,
        lease.epoch(),
        consumed,
        sent,
        turn,
        MessageType.of(state.getClass()),
        Json.tree(state));
  }
}
