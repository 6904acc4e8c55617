package io.callboard.admin;

import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * A message that will not be handled: its receiver does not exist, has ended, has no room or
 * reached it past its deadline, or no receiver could be chosen. Reported to the listeners of {@link
 * CallboardAdmin#onDeadLetter}.
 *
 * @param receiver the path of the actor; for an answer the address of the asker
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
