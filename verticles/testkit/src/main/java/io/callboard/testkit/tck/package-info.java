/**
 * Contract of a store, as cases that each implementation has to pass.
 *
 * <p>{@link io.callboard.testkit.tck.StoreTck} and {@link io.callboard.testkit.tck.LargeMessageTck}
 * are extended once for each store, with a {@link io.callboard.testkit.tck.TckCell}: a fresh cell,
 * and the harm that can be done to its nodes. The cases ({@code CommitCases}, {@code LeaseCases},
 * {@code FaultCases} and so on) come along; each sentence of {@link io.callboard.store.Store} has
 * its own.
 *
 * <p><b>Invariants.</b> They prove S1 to S6 of {@link io.callboard.store} under the faults that the
 * cell can cause. A pass says nothing about faults that a {@code TckCell} does not cause, nor about
 * speed.
 */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.tck;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
