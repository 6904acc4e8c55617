package io.callboard.store;

/**
 * Identity of a node that opens a session.
 *
 * @param name unique among the live nodes of a cell
 * @param bootId unique for each start of the process
 * @param homeId identifies the data directory whose exclusive lock the process holds: another
 *     process with the same home is dead for certain. A node without a data directory uses its boot
 *     id.
 */
public record NodeIdentity(String name, String bootId, String homeId) {}
