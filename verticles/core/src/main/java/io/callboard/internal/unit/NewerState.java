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
 * What newer code has written into an actor's state and the states of this life keep. From one
 * thread at a time.
 */
public final class NewerState {
  private static final Logger log = LoggerFactory.getLogger(NewerState.class);

  private final ActorPath path;
  private volatile UnknownFields unknown = UnknownFields.NONE;
  private volatile boolean told;

  public NewerState(ActorPath path) {
    this.path = path;
  }

  /** A life begins with a state that had these fields. */
  public void begin(UnknownFields fields) {
    unknown = fields;
    told = false;
  }

  public boolean isEmpty() {
    return unknown.isEmpty();
  }

  /** The JSON of the next state, with what it keeps; that is what those after it keep, too. */
  public JsonNode write(Object state) {
    JsonNode json = Json.tree(state);
    UnknownFields before = unknown;
    if (before.isEmpty()) {
      return json;
    }
    UnknownFields kept = before.goOnWith(MessageType.of(state.getClass()), json);
    unknown = kept;
    List<String> gone = before.without(kept);
    if (!told && !gone.isEmpty()) {
      told = true;
      log.info(
          "{} has a new value where a newer version had fields that this one does not know, and they go with the old one: {}",
          path,
          gone);
    }
    return kept.addTo(json);
  }
}
