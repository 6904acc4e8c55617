package io.callboard.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message in a durable mailbox, not yet handled for good.
 *
 * @param place in the mailbox, {@code <segment>-<index>}
 * @param id sender and number; null if it cannot be read, as are type and body
 * @param size of the body in bytes, of the whole segment if it cannot be read
 * @param blob whether the message is so large that its body is in the blob log; it is not shown
 *     then
 * @param unreadable why it cannot be read; null if it can
 * @param since the time at which it came into the mailbox, by the store's clock; null if that is
 *     not known
 */
public record WaitingMessage(
    String place,
    @Nullable MessageId id,
    @Nullable MessageType type,
    int size,
    @Nullable JsonNode body,
    boolean blob,
    @Nullable String unreadable,
    @Nullable Instant since) {}
