package io.callboard.internal.link;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Message as it lies in the frame that brought it.
 *
 * @param to null but for an actor, or its mail
 * @param from the sender, for the log
 * @param number of the ask; of the segment that is pushed; 0 for a tell
 * @param frame holds the body at {@code offset}
 */
@SuppressWarnings("ArrayRecordComponent") // many of one frame share it: never compared
public record IncomingMessage(
    MessageKind kind,
    @Nullable ActorPath to,
    String from,
    long number,
    MessageType type,
    byte[] frame,
    int offset,
    int length) {}
