package io.callboard.grid;

/**
 * Node that did not leave the cell on purpose and is believed to be gone, or is.
 *
 * @param name name of the node
 * @param bootId id of that start of it
 * @param member whether it still counts as a member: it is suspected, and its session has not ended
 */
public record MissingNode(String name, String bootId, boolean member) {}
