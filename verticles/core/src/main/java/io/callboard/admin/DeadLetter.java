package io.callboard.admin;

import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * A message that will not be handled: its receiver is not there, has ended, has no room or came to
 * it too late, or nobody could be chosen for it. Told to {@link CallboardAdmin#onDeadLetter}.
 *
 * @param receiver the path of the actor; for an answer the address of who asked
 * @param sender the path of the actor that sent it; null if that is not known
 * @param type of the message
 * @param id of a message that was in a durable mailbox, or on its way there; else null
 * @param message itself; null if this node does not hold it
 * @param cause why it was not handled
 */
public record DeadLetter(
    String receiver,
    @Nullable String sender,
    MessageType type,
    @Nullable MessageId id,
    @Nullable Object message,
    Throwable cause) {}
