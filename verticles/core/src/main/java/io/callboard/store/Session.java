package io.callboard.store;

/**
 * The facts of a session that a commit builds upon.
 *
 * @param partitions how many partitions each space of the cell has; fixed at its birth
 * @param incarnation rises with each {@link Store#open} and {@link Store#renew}
 * @param commitNumber of the last applied commit of this node
 */
public record Session(int partitions, long incarnation, long commitNumber) {}
