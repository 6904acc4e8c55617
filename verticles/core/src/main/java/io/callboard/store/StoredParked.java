package io.callboard.store;

import io.callboard.codecs.ActorPath;

/**
 * A parked message.
 *
 * @param bytes as the committing unit gave them
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredParked(ActorPath actor, String id, byte[] bytes) {
  /** Returns the key of the message. */
  public ParkedKey key() {
    return new ParkedKey(actor, id);
  }
}
