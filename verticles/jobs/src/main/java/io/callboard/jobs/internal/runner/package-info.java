/**
 * Contract between the monitor of a host and what runs its runs: name, request, handle, result and
 * failures of a run.
 *
 * <p>A {@link io.callboard.jobs.internal.runner.Runner} is in a room of its own: {@code
 * io.callboard.jobs.internal.process} starts processes, {@code io.callboard.jobs.internal.call}
 * calls handlers. What runs leave on disk is in {@code io.callboard.jobs.internal.files}.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A result ({@link io.callboard.jobs.internal.runner.RunResult}) is what the run itself ended
 *       with, or the run is lost: no outcome is guessed.
 *   <li>A failure to start ({@link io.callboard.jobs.internal.runner.RunException}) says whether
 *       the request or the host is at fault.
 *   <li>A run that was refused once never starts on its host ({@link
 *       io.callboard.jobs.internal.runner.StartPermits}): by its name within a term of the host, by
 *       the number of its term afterwards.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.runner;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
