package io.callboard.dashboard.attention;

import java.time.Instant;

/**
 * Database that takes nothing that has ended.
 *
 * @param what what has ended: jobs or workflow instances
 * @param since since when
 * @param waiting how many wait for it
 * @param cause why
 */
public record AwayArchive(String what, Instant since, int waiting, String cause) {}
