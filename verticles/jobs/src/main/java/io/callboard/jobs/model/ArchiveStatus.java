package io.callboard.jobs.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of the archivist.
 *
 * @param ended number of ended jobs that have a record in ZooKeeper
 * @param waiting number of those that are to be written to the database; null without one
 * @param awaySince time since which the database is away; null if it is not, or there is none
 * @param cause why it is away, for people; null if it is not
 */
public record ArchiveStatus(
    int ended, @Nullable Integer waiting, @Nullable Instant awaySince, @Nullable String cause) {}
