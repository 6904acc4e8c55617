package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a node in archiving the ended instances of its partitions.
 *
 * @param ended number of those that are in the cell
 * @param awaySince time since which they cannot be archived or removed; null if they can
 * @param cause why, for people; null if they can
 */
public record InstanceArchiveStatus(
    int ended, @Nullable Instant awaySince, @Nullable String cause) {}
