package io.callboard.codecs;

/**
 * An event as it is stored, made when the actor persists it.
 *
 * @param body its JSON
 */
@SuppressWarnings("ArrayRecordComponent")
public record WrittenEvent(MessageType type, byte[] body) {
  /**
   * @throws CodecException if it cannot be written, or not be read back then
   */
  public static WrittenEvent of(Object event) {
    return new WrittenEvent(MessageType.of(event.getClass()), Json.bytes(event));
  }

  /** What it takes in a journal, about. */
  public int bytes() {
    return body.length + 8;
  }
}
