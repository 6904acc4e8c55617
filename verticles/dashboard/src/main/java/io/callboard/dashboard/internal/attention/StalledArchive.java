package io.callboard.dashboard.internal.attention;

import java.time.Instant;

/**
 * Archive whose database accepts no ended jobs or instances.
 *
 * @param what jobs or workflow instances
 * @param since time of the first refusal
 * @param waiting number of items that wait for it
 * @param cause message of the last failure
 */
public record StalledArchive(String what, Instant since, int waiting, String cause) {}
