package io.callboard;

/**
 * An actor that was watched runs no more: it was stopped, its supervisor gave it up, or its node
 * left the cell; or no such actor was there. A restart is no end.
 *
 * @param cause for people
 */
public record Terminated(ActorRef<?> actor, String cause) {}
