package io.callboard.internal.link;

import io.callboard.codecs.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * One piece of news on its way to all nodes.
 *
 * @param name of the broadcast that it belongs to
 * @param key of which only the last is sent; null if each is, and once it came
 * @param body UTF-8 JSON, up to {@link Broadcasts#MOST_BYTES}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BroadcastMessage(String name, @Nullable String key, MessageType type, byte[] body) {
  private static final int OVERHEAD = 32;

  /** About what it takes in a frame. */
  int size() {
    return OVERHEAD + name.length() + type.name().length() + body.length;
  }
}
