package io.callboard.dashboard.attention;

/**
 * Parked message, as far as the rules need it.
 *
 * @param actor path of the actor that could not handle it
 * @param cause why, as it was stored
 */
public record ParkedMessage(String actor, String cause) {}
