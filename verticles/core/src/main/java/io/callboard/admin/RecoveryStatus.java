package io.callboard.admin;

/**
 * Progress of an actor's recovery.
 *
 * @param events replayed so far
 * @param of events to be replayed
 */
public record RecoveryStatus(long events, long of) {}
