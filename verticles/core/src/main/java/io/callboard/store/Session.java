package io.callboard.store;

/**
 * A node's session with a store: the values on which its commits build.
 *
 * @param partitions how many partitions each space of the cell has; fixed at its birth
 * @param incarnation another one after each {@link Store#open} and {@link Store#renew}; no request
 *     of an earlier one is applied any more
 * @param commitNumber of the last applied commit of this node
 */
public record Session(int partitions, long incarnation, long commitNumber) {}
