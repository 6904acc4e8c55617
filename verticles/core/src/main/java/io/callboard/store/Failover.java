package io.callboard.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Record of a failover: a role moved from one node to another.
 *
 * @param epoch of the new holder
 * @param from the holder before; empty for the first
 * @param to the new holder
 * @param cause in one word, for programs: how the role came to be without a holder
 * @param at when the new holder had started, by its clock
 * @param gap for how long no node held it, as far as that is known: from the last sign of life of
 *     the holder before, or from when it gave the role back, until the new one had started
 */
public record Failover(
    long epoch, String from, String to, String cause, Instant at, Optional<Duration> gap) {}
