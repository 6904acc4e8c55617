package io.callboard.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.OldEvent;
import io.callboard.codecs.WrittenEvent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's correction of the state of a persistent actor, recorded as an event of the toolkit
 * among the actor's events, in its journal and in the archive. The actor's class does not see it.
 *
 * @param node where it was done
 * @param why what the operator said
 * @param event whose state was restored; null if it was made again of all events
 * @param stateType logical name of the state from then on; null if the events tell it
 * @param stateVersion its version
 * @param state its JSON
 */
public record Correction(
    String node,
    String why,
    @Nullable Long event,
    @Nullable String stateType,
    @Nullable Integer stateVersion,
    @Nullable JsonNode state) {
  /** The state was made again of all events: it was corrected retroactively. */
  public static final String CORRECTED = "callboard..corrected";

  /** The state is again as it was after an earlier event; those between do not count any more. */
  public static final String RESTORED = "callboard..restored";

  /**
   * Returns the event that is written of {@code redo}.
   *
   * @param made the state to which it led
   * @param tags the feeds that get the event
   */
  public static WrittenEvent written(Redo redo, Object made, String node, List<String> tags) {
    Long event = redo.event();
    MessageType type = MessageType.of(made.getClass());
    Correction correction =
        event == null
            ? new Correction(node, redo.why(), null, null, null, null)
            : new Correction(node, redo.why(), event, type.name(), type.version(), Json.tree(made));
    return new WrittenEvent(
        new MessageType(event == null ? CORRECTED : RESTORED, 1), Json.bytes(correction), tags);
  }

  /**
   * Reads a correction.
   *
   * @throws CodecException if it is none that this code knows
   */
  static Correction read(OldEvent event) {
    boolean known = event.is(CORRECTED) || event.is(RESTORED);
    if (!known || event.type().version() > 1) {
      throw new IllegalStateException(
          "\"%s\" version %d was written by a newer node"
              .formatted(event.type().name(), event.type().version()));
    }
    return Json.convert(event.type().name(), event.body(), Correction.class);
  }

  /** Returns the type of the state from then on; empty if the events determine it. */
  Optional<MessageType> type() {
    return stateType == null || stateVersion == null
        ? Optional.empty()
        : Optional.of(MessageType.read(RESTORED, stateType, stateVersion));
  }

  /**
   * Returns the state after the correction: the state that it restored, or {@code before} if it
   * restored none.
   *
   * @param before it
   * @param reader of the state's JSON
   */
  public static <S> S apply(S before, OldEvent event, Reader<S> reader) {
    Correction correction = read(event);
    JsonNode state = correction.state();
    return state == null
        ? before
        : correction.type().map(t -> reader.read(t, state)).orElse(before);
  }

  /** Reader of a state. */
  @FunctionalInterface
  public interface Reader<S> {
    /**
     * Reads a state from its JSON.
     *
     * @param type logical name and version with which it was written
     */
    S read(MessageType type, JsonNode json);
  }
}
