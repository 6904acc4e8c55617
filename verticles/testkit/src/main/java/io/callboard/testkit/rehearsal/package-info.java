/**
 * Rehearsals: several actors run many times with faults, each run decided by its seed.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.testkit.rehearsal.Rehearsal} runs one node at a time over a store in
 * memory whose faults the seed decides, everything on one event loop and by a {@code ManualTime}. A
 * death cuts the node off from the store and closes it: its later writes have no effect there, as
 * with a node that does not know yet that it was lost. At the end faults stop, waiting work is
 * done, and the check of the test must hold.
 *
 * <h2>Invariants</h2>
 *
 * <p>A seed is always the same run, as long as the actors and the test depend on nothing else
 * ({@link io.callboard.testkit.rehearsal.RehearsalRun#random} is their only source of randomness).
 * A failure names its seed.
 *
 * <h2>Failure windows</h2>
 *
 * <p>Threads of the user's own, system clocks and real I/O make a run depend on more than its seed:
 * the failure may not come again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.rehearsal;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
