package io.callboard;

/**
 * A scheduling zone of this node.
 *
 * @param kind {@code event-loop} or {@code fixed}
 * @param size threads
 * @param actors deployed in it
 */
public record ZoneStatus(String name, String kind, int size, int actors) {}
