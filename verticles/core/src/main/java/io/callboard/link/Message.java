package io.callboard.link;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * A message as it lies in the frame that brought it.
 *
 * @param to null but for an actor
 * @param from the sender, for the log
 * @param number of the ask; 0 for a tell
 * @param frame holds the body, UTF-8 JSON, at {@code offset}
 */
@SuppressWarnings("ArrayRecordComponent") // many of one frame share it: never compared
public record Message(
    Kind kind,
    @Nullable ActorPath to,
    String from,
    long number,
    MessageType type,
    byte[] frame,
    int offset,
    int length) {}
