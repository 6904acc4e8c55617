/**
 * What the nodes of a cell do together: roles with a holder and a standby, placement, the grid
 * monitor, routing, relays between cells. The module has its place in the house; its code comes
 * with the grid. Until then {@code io.callboard.turn.Ownership} claims a partition when it is free
 * or its owner is dead.
 */
@NullMarked
package io.callboard.grid;

import org.jspecify.annotations.NullMarked;
