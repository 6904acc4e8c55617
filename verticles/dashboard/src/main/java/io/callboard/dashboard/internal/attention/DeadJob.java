package io.callboard.dashboard.internal.attention;

import java.time.Instant;

/**
 * Job that is dead.
 *
 * @param id its id
 * @param type name of its type
 * @param cause why it is dead
 * @param at when it died
 */
public record DeadJob(String id, String type, String cause, Instant at) {}
