/**
 * For programs that run a grid: leases of partitions, members of the cell, signals between nodes,
 * and listeners for what changes.
 *
 * <p><b>Invariant.</b> Whatever a program asks for is safe at any moment: suspicions and hand-overs
 * decide who claims, and how soon; the leases decide who owns ({@link io.callboard.placement}).
 *
 * <p><b>Failure windows.</b> A signal is sent once: it may be lost, late or out of order. A change
 * of a lease or of the members that was not heard of is found by the next look. A session may have
 * ended in the store before this node knows: until when it lives for certain is what {@link
 * io.callboard.cell.CellListener#sessionLives} reports.
 */
@NullMarked
@CheckReturnValue
package io.callboard.cell;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
