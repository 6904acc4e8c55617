package io.callboard.pollers.model;

import org.jspecify.annotations.Nullable;

/**
 * Answer to a request that brought a message: it is durable. Without a {@code ref} the builder of a
 * workflow has not answered yet, and may still refuse it.
 *
 * @param source name of the source
 * @param id id of the message
 * @param key key under which what it starts is found again
 * @param ref id of the instance or job, as far as there is one already; null for none
 */
public record AcceptedMessage(String source, String id, String key, @Nullable String ref) {}
