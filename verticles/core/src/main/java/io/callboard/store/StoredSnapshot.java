package io.callboard.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of an actor's state as of the end of one of its turns; stored in its record, or in the
 * blob log.
 *
 * @param turn the journal entries of later turns apply on top
 * @param event the number of the last event in it; 0 if there was none
 * @param at when it was made; the epoch if that is not known
 * @param type logical name and version of the state
 * @param state as {@link Json#tree} or {@link Json#raw} made it, or read; null if it is in the blob
 *     log
 * @param blob where it is; null if it is in the record
 * @param fold the version of the {@code apply} that made it of events
 */
public record StoredSnapshot(
    long turn,
    long event,
    Instant at,
    MessageType type,
    @Nullable JsonNode state,
    @Nullable BlobRef blob,
    int fold) {
  /** The version that an {@code apply} has at first. */
  public static final int FIRST_FOLD = 1;

  /** Creates a snapshot of a state that the first version of {@code apply} made. */
  public StoredSnapshot(
      long turn,
      long event,
      Instant at,
      MessageType type,
      @Nullable JsonNode state,
      @Nullable BlobRef blob) {
    this(turn, event, at, type, state, blob, FIRST_FOLD);
  }

  /**
   * Creates a snapshot.
   *
   * @throws IllegalArgumentException unless exactly one of {@code state} and {@code blob} is given
   */
  public StoredSnapshot {
    if ((state == null) == (blob == null)) {
      throw new IllegalArgumentException("a snapshot is in the record or in the blob log");
    }
  }

  /** Returns the state of a turn that wrote it whole. */
  public static StoredSnapshot inPlace(long turn, Object state) {
    return inPlace(turn, MessageType.of(state.getClass()), Json.tree(state));
  }

  /** Returns the snapshot of a state written whole, which is JSON already. */
  public static StoredSnapshot inPlace(long turn, MessageType type, JsonNode json) {
    return new StoredSnapshot(turn, 0, Instant.EPOCH, type, json, null);
  }

  /**
   * Returns the state of one that is in the record.
   *
   * @throws NullPointerException if it is in the blob log
   */
  public JsonNode inRecord() {
    return Objects.requireNonNull(state, "the snapshot is in the blob log");
  }

  /** Writes the snapshot in the form of {@link Stored}. */
  void write(RecordWriter to) {
    to.add("{\"turn\":").add(turn).add(",\"event\":").add(event);
    if (fold != FIRST_FOLD) {
      to.add(",\"fold\":").add(fold);
    }
    to.add(",\"at\":\"").add(at.toString());
    to.add("\",\"type\":").text(type.name()).add(",\"version\":").add(type.version());
    BlobRef elsewhere = blob;
    if (elsewhere == null) {
      to.add(",\"state\":").json(inRecord());
    } else {
      to.add(",\"blob\":").json(Json.uncheckedTree(elsewhere));
    }
    to.add("}");
  }

  /** Snapshot as it is stored in a record. */
  record Stored(
      long turn,
      long event,
      Instant at,
      String type,
      int version,
      @Nullable JsonNode state,
      @Nullable BlobRef blob,
      @Nullable Integer fold) {

    /**
     * Reads a snapshot of a record.
     *
     * @throws CodecException if it is malformed
     */
    StoredSnapshot read(String what) {
      int made = fold == null ? FIRST_FOLD : fold;
      if (turn < 0 || event < 0 || made < FIRST_FOLD || (state == null) == (blob == null)) {
        throw StoreException.corrupt(what + " holds an invalid snapshot: it is damaged");
      }
      return new StoredSnapshot(
          turn, event, at, MessageType.read(what, type, version), state, blob, made);
    }
  }
}
