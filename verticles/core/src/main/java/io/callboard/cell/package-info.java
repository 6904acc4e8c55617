/**
 * For programs that run a grid: leases of partitions, members of the cell, signals between nodes,
 * and listeners for what changes.
 */
@NullMarked
@CheckReturnValue
package io.callboard.cell;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
