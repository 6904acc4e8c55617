package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Stored version of a definition that this node cannot read: one of a newer version of Callboard,
 * or one that is not valid any more.
 *
 * @param name name of the definition
 * @param version its version; null if the actor of the definition does not answer
 * @param createdAt when that version was stored first; null likewise
 * @param current whether it is the current version
 * @param fault why it cannot be read, for people
 */
public record UnreadableVersion(
    String name,
    @Nullable String version,
    @Nullable Instant createdAt,
    boolean current,
    String fault) {}
