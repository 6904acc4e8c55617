package io.callboard.codecs;

import java.util.Collection;
import java.util.List;

/**
 * An event as it is stored, made when the actor persists it.
 *
 * @param body its JSON
 * @param tags the feeds that it goes to, besides the actor's journal
 */
@SuppressWarnings("ArrayRecordComponent")
public record WrittenEvent(MessageType type, byte[] body, List<String> tags) {
  /** Creates an event without tags. */
  public WrittenEvent(MessageType type, byte[] body) {
    this(type, body, List.of());
  }

  /**
   * Encodes an event with its tags.
   *
   * @throws CodecException if it cannot be written, or not be read back then
   */
  public static WrittenEvent of(Object event, Collection<String> tags) {
    byte[] body = Json.readable("event", event);
    return new WrittenEvent(MessageType.of(event.getClass()), body, List.copyOf(tags));
  }

  /** Encodes an event without tags. */
  public static WrittenEvent of(Object event) {
    return of(event, List.of());
  }

  /** Returns the bytes that the event takes in a journal, approximately. */
  public int bytes() {
    return body.length + 8;
  }
}
