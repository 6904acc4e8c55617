package io.callboard.admin;

/**
 * How far an actor's state is made again of what is stored.
 *
 * @param events replayed so far
 * @param of events to be replayed
 */
public record RecoveryStatus(long events, long of) {}
