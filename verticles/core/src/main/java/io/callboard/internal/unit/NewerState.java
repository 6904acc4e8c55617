package io.callboard.internal.unit;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.UnknownFields;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unknown fields of an actor's state, written by newer code, which the states of this life keep.
 * Used by one thread at a time.
 */
public final class NewerState {
  private static final Logger log = LoggerFactory.getLogger(NewerState.class);

  private final ActorPath path;
  private volatile UnknownFields unknown = UnknownFields.NONE;
  private volatile boolean told;

  public NewerState(ActorPath path) {
    this.path = path;
  }

  /** Begins a life whose first state had these unknown fields. */
  public void begin(UnknownFields fields) {
    unknown = fields;
    told = false;
  }

  public boolean isEmpty() {
    return unknown.isEmpty();
  }

  /**
   * Encodes a state as JSON with the unknown fields that it keeps; later states keep the same.
   *
   * @return a {@link Json#raw} node if there are none
   */
  public JsonNode write(Object state) {
    UnknownFields before = unknown;
    if (before.isEmpty()) {
      return Json.raw(Json.readable("state", state));
    }
    JsonNode json = Json.parse("a state of " + path, Json.readable("state", state));
    UnknownFields kept = before.goOnWith(MessageType.of(state.getClass()), json);
    unknown = kept;
    List<String> gone = before.without(kept);
    if (!told && !gone.isEmpty()) {
      told = true;
      log.info(
          "a turn of {} replaced a value in which a newer version had fields that this version does not know; these are lost: {}",
          path,
          gone);
    }
    return kept.addTo(json);
  }
}
