package io.callboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.StoredSnapshot.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable record of an actor: its turn, epoch, consumption, counters and state, without its mail.
 *
 * @param turn how many turns committed
 * @param epoch of the lease under which the last one committed
 * @param consumed the consumed part of its mailbox
 * @param sent how many messages the actor has sent
 * @param begun the turn with which it was last deleted, and so began anew; 0 if it never was.
 *     Journal entries up to it belong to its former life
 * @param snapshots its state as of the end of a turn, the newest first; of an actor that writes no
 *     events one, of its last change
 * @param given the last number that it gave to a durable timer or a delivery; 0 if it gave none
 * @param stopped whether an operator stopped it: no node runs it before it is resumed
 */
public record ActorRecord(
    long turn,
    long epoch,
    Consumed consumed,
    long sent,
    long begun,
    List<StoredSnapshot> snapshots,
    long given,
    boolean stopped) {

  /** The format that this code writes; it also reads every older one. */
  public static final int FORMAT = 5;

  /** Format of records of actors that nobody stopped. */
  private static final int GIVEN_FORMAT = 4;

  /** Format of records of actors that gave no number. */
  private static final int EVENTS_FORMAT = 3;

  /** Format of records of actors with one state at most and no events that were never deleted. */
  private static final int STATE_FORMAT = 2;

  /** Format of records of actors that have consumed nothing behind a message that waits. */
  private static final int IN_ORDER_FORMAT = 1;

  /** The record of an actor that has done nothing yet. */
  public static final ActorRecord EMPTY = new ActorRecord(0, 0, 0, 0, 0, List.of());

  /** Creates a record; the list of snapshots is copied. */
  public ActorRecord {
    snapshots = List.copyOf(snapshots);
  }

  /** Creates the record of an actor that gave no number. */
  public ActorRecord(
      long turn,
      long epoch,
      Consumed consumed,
      long sent,
      long begun,
      List<StoredSnapshot> snapshots) {
    this(turn, epoch, consumed, sent, begun, snapshots, 0);
  }

  /** Creates the record of an actor that nobody stopped. */
  public ActorRecord(
      long turn,
      long epoch,
      Consumed consumed,
      long sent,
      long begun,
      List<StoredSnapshot> snapshots,
      long given) {
    this(turn, epoch, consumed, sent, begun, snapshots, given, false);
  }

  /**
   * Creates the record of an actor that has consumed its mailbox in order, up to before {@code
   * offset} of a segment.
   */
  public ActorRecord(
      long turn, long epoch, long next, int offset, long sent, List<StoredSnapshot> snapshots) {
    this(turn, epoch, new Consumed(next, offset, List.of()), sent, 0, snapshots);
  }

  /** Returns the newest snapshot; empty if the actor has no state yet, or only events. */
  public Optional<StoredSnapshot> newest() {
    return snapshots.isEmpty() ? Optional.empty() : Optional.of(snapshots.get(0));
  }

  /**
   * Returns the state of an actor that writes no events, as {@code type}, of which it may be an
   * older version; empty if there is none here.
   *
   * @throws CodecException if it is not of that type, or newer than this code
   */
  public <S> Optional<S> state(Class<S> type) {
    return read(type).map(ProtocolCodec.Read::value);
  }

  /** {@link #state}, with the fields that {@code type} does not know. */
  public <S> Optional<ProtocolCodec.Read<S>> read(Class<S> type) {
    StoredSnapshot newest = snapshots.isEmpty() ? null : snapshots.get(0);
    return newest == null || newest.state() == null
        ? Optional.empty()
        : Optional.of(ProtocolCodec.of(type).read("state", newest.type(), newest.state()));
  }

  /**
   * Returns the turn up to which journal entries are superfluous, whatever the actor keeps: they
   * belong to its life before a deletion, or precede a state that was written whole.
   */
  public long superfluousTo() {
    return newest().filter(state -> state.event() == 0).map(StoredSnapshot::turn).orElse(begun);
  }

  /** Returns the sequence number of the first segment that is not wholly consumed. */
  public long next() {
    return consumed.next();
  }

  /** Returns the number of messages of that segment that are consumed, from its first on. */
  public int offset() {
    return consumed.offset();
  }

  /** Returns this record as written under the lease of another epoch. */
  public ActorRecord under(long other) {
    return other == epoch
        ? this
        : new ActorRecord(turn, other, consumed, sent, begun, snapshots, given, stopped);
  }

  /**
   * Returns this record after an operator stopped or resumed the actor, under the lease of that
   * epoch.
   */
  public ActorRecord stopped(boolean stops, long under) {
    return new ActorRecord(turn + 1, under, consumed, sent, begun, snapshots, given, stops);
  }

  /**
   * Encodes this record as JSON, without an intermediate tree, because every commit of the actor
   * contains it.
   */
  public byte[] encode() {
    RecordWriter to = new RecordWriter();
    to.add("{\"f\":").add(format());
    to.add(",\"turn\":").add(turn).add(",\"epoch\":").add(epoch);
    to.add(",\"next\":").add(next()).add(",\"offset\":").add(offset());
    to.add(",\"sent\":").add(sent);
    if (given > 0) {
      to.add(",\"given\":").add(given);
    }
    if (stopped) {
      to.add(",\"stopped\":true");
    }
    if (isPlain()) {
      to.add(",\"journalFrom\":").add(superfluousTo());
    }
    beyond(to);
    if (!isPlain()) {
      to.add(",\"begun\":").add(begun).add(",\"snapshots\":[");
      String separator = "";
      for (StoredSnapshot each : snapshots) {
        each.write(to.add(separator));
        separator = ",";
      }
      to.add("]");
    } else {
      newest().ifPresent(state -> state(to, state));
    }
    return to.add("}").bytes();
  }

  private void beyond(RecordWriter to) {
    if (consumed.beyond().isEmpty()) {
      return;
    }
    String separator = ",\"beyond\":[[";
    for (Stretch each : consumed.beyond()) {
      to.add(separator).add(each.from()).add(",").add(each.fromIndex());
      to.add(",").add(each.to()).add(",").add(each.toIndex());
      separator = "],[";
    }
    to.add("]]");
  }

  private static void state(RecordWriter to, StoredSnapshot state) {
    to.add(",\"stateType\":").text(state.type().name());
    to.add(",\"stateVersion\":").add(state.type().version());
    to.add(",\"state\":").json(state.inRecord());
  }

  /** Returns whether older nodes could read the record. */
  private boolean isPlain() {
    return begun == 0
        && snapshots.size() < 2
        && snapshots.stream()
            .noneMatch(
                each ->
                    each.event() > 0
                        || each.blob() != null
                        || each.fold() != StoredSnapshot.FIRST_FOLD);
  }

  private int format() {
    if (stopped) {
      return FORMAT;
    } else if (given > 0) {
      return GIVEN_FORMAT;
    } else if (!isPlain()) {
      return EVENTS_FORMAT;
    }
    return consumed.beyond().isEmpty() ? IN_ORDER_FORMAT : STATE_FORMAT;
  }

  /**
   * Decodes a record.
   *
   * @param what names the record in errors
   * @throws CodecException if it is malformed
   * @throws StoreException of kind {@code CORRUPT} if it is of a newer format
   */
  public static ActorRecord decode(String what, byte[] bytes) {
    StoredActorRecord stored = Json.read(what, bytes, StoredActorRecord.class);
    stored.check(what);
    return new ActorRecord(
        stored.turn,
        stored.epoch,
        new Consumed(stored.next, stored.offset, stored.stretches(what)),
        stored.sent,
        stored.begun == null ? 0 : stored.begun,
        stored.states(what),
        stored.given == null ? 0 : stored.given,
        stored.stopped != null && stored.stopped);
  }

  private record StoredActorRecord(
      int f,
      long turn,
      long epoch,
      long next,
      int offset,
      long sent,
      @Nullable Long journalFrom,
      @Nullable Long begun,
      @Nullable Long given,
      @Nullable Boolean stopped,
      @Nullable List<List<Long>> beyond,
      @Nullable String stateType,
      @Nullable Integer stateVersion,
      @Nullable JsonNode state,
      @Nullable List<Stored> snapshots) {

    void check(String what) {
      Formats.check(what, f, FORMAT);
      if (Math.min(Math.min(turn, epoch), Math.min(next, sent)) < 0
          || offset < 0
          || (journalFrom != null && journalFrom < 0)
          || (begun != null && begun < 0)
          || (given != null && given < 0)) {
        throw StoreException.corrupt(what + " holds a negative number: it is damaged");
      }
    }

    List<StoredSnapshot> states(String what) {
      if (snapshots == null && journalFrom == null) {
        throw StoreException.corrupt(what + " lacks its snapshots: it is damaged");
      } else if (snapshots != null) {
        List<StoredSnapshot> read = snapshots.stream().map(each -> each.read(what)).toList();
        for (int i = 1; i < read.size(); i++) {
          if (read.get(i).turn() >= read.get(i - 1).turn()) {
            throw StoreException.corrupt(what + " has its snapshots out of order: it is damaged");
          }
        }
        return read;
      } else if (stateType == null || stateVersion == null || state == null) {
        return List.of();
      }
      MessageType type = MessageType.read(what, stateType, stateVersion);
      long from = journalFrom == null ? 0 : journalFrom;
      return List.of(new StoredSnapshot(from, 0, Instant.EPOCH, type, state, null));
    }

    List<Stretch> stretches(String what) {
      List<Stretch> stretches = new ArrayList<>();
      long last = next;
      for (List<Long> each : beyond == null ? List.<List<Long>>of() : beyond) {
        if (each == null
            || each.size() != 4
            || each.contains(null)
            || each.get(0) < last
            || each.get(2) < each.get(0)
            || !isIndex(each.get(1))
            || !isIndex(each.get(3))) {
          throw StoreException.corrupt(
              what + " holds invalid ranges of consumed messages: it is damaged");
        }
        last = each.get(2);
        stretches.add(
            new Stretch(each.get(0), each.get(1).intValue(), last, each.get(3).intValue()));
      }
      return stretches;
    }

    private static boolean isIndex(long value) {
      return value >= 0 && value <= Integer.MAX_VALUE;
    }
  }
}
