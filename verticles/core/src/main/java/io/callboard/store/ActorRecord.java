package io.callboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.store.Consumed.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The durable facts of an actor besides its mail.
 *
 * @param turn how many turns committed
 * @param epoch of the lease under which the last one committed
 * @param consumed what is consumed of its mailbox
 * @param sent how many messages the actor has sent
 * @param journalFrom the turn of the state: journal entries of later turns apply on top
 * @param stateType logical name and version of the state; null if there is none
 * @param state as {@link Json#tree} made it, or read; null if there is none
 */
public record ActorRecord(
    long turn,
    long epoch,
    Consumed consumed,
    long sent,
    long journalFrom,
    @Nullable MessageType stateType,
    @Nullable JsonNode state) {

  /** The format that this code writes; it reads this and every older one. */
  public static final int FORMAT = 2;

  /** Of an actor that has consumed nothing behind a message that waits. */
  private static final int IN_ORDER_FORMAT = 1;

  /** Of an actor that has done nothing yet. */
  public static final ActorRecord EMPTY = new ActorRecord(0, 0, 0, 0, 0, 0, null, null);

  /**
   * Of an actor that has consumed its mailbox in order, up to before {@code offset} of a segment.
   */
  public ActorRecord(
      long turn,
      long epoch,
      long next,
      int offset,
      long sent,
      long journalFrom,
      @Nullable MessageType stateType,
      @Nullable JsonNode state) {
    this(turn, epoch, new Consumed(next, offset, List.of()), sent, journalFrom, stateType, state);
  }

  /** The sequence number of the first segment that is not wholly consumed. */
  public long next() {
    return consumed.next();
  }

  /** How many messages of that segment are consumed, from its first on. */
  public int offset() {
    return consumed.offset();
  }

  /** The same as written under that epoch. */
  public ActorRecord under(long other) {
    return other == epoch
        ? this
        : new ActorRecord(turn, other, consumed, sent, journalFrom, stateType, state);
  }

  public byte[] encode() {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("f", consumed.beyond().isEmpty() ? IN_ORDER_FORMAT : FORMAT)
            .put("turn", turn)
            .put("epoch", epoch)
            .put("next", next())
            .put("offset", offset())
            .put("sent", sent)
            .put("journalFrom", journalFrom);
    if (!consumed.beyond().isEmpty()) {
      ArrayNode beyond = node.putArray("beyond");
      consumed
          .beyond()
          .forEach(
              s -> beyond.addArray().add(s.from()).add(s.fromIndex()).add(s.to()).add(s.toIndex()));
    }
    if (stateType != null && state != null) {
      node.put("stateType", stateType.name()).put("stateVersion", stateType.version());
      node.set("state", state);
    }
    return Json.uncheckedBytes(node);
  }

  /**
   * @param what names the record in errors
   * @throws CodecException if it is malformed
   * @throws StoreException of kind {@code CORRUPT} if it is of a newer format
   */
  public static ActorRecord decode(String what, byte[] bytes) {
    Stored stored = Json.read(what, bytes, Stored.class);
    stored.check(what);
    return new ActorRecord(
        stored.turn,
        stored.epoch,
        new Consumed(stored.next, stored.offset, stored.stretches(what)),
        stored.sent,
        stored.journalFrom,
        stored.stateType == null || stored.stateVersion == null
            ? null
            : MessageType.read(what, stored.stateType, stored.stateVersion),
        stored.state);
  }

  /**
   * The state as {@code type}, of which it may be an older version; empty if there is none.
   *
   * @throws CodecException if it is not of that type, or newer than this code
   */
  public <S> Optional<S> state(Class<S> type) {
    return stateType == null || state == null
        ? Optional.empty()
        : Optional.of(ProtocolCodec.of(type).decode("state", stateType, state));
  }

  private record Stored(
      int f,
      long turn,
      long epoch,
      long next,
      int offset,
      long sent,
      long journalFrom,
      @Nullable List<List<Long>> beyond,
      @Nullable String stateType,
      @Nullable Integer stateVersion,
      @Nullable JsonNode state) {

    void check(String what) {
      Formats.check(what, f, FORMAT);
      if (Math.min(Math.min(turn, epoch), Math.min(next, sent)) < 0
          || offset < 0
          || journalFrom < 0) {
        throw StoreException.corrupt(what + " holds a negative number: it is damaged");
      }
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
          throw StoreException.corrupt(what + " says wrongly what is consumed: it is damaged");
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
