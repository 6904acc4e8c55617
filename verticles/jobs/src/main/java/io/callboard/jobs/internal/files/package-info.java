/**
 * Files of runs on their host, whichever runner runs them: directories, outcomes, logs, and what a
 * run reports.
 *
 * <h2>Protocol</h2>
 *
 * <p>Below the data directory: {@code runs/<jobId>/<runId>/} is the working directory of the run
 * and all its own; {@code control/<jobId>/<runId>/} is where its shim works, and holds {@code log}
 * and {@code exit}; {@code control/open/<jobId>_<runId>} is there from before the start until the
 * outcome was acknowledged, and says when the run began and, once its shim runs, which group it is.
 *
 * <p>The log is appended to by the processes and cut while they run ({@link
 * io.callboard.jobs.internal.files.LogLimits}): its head and its tail stay, and a line in the gap
 * says how much is missing.
 *
 * <p>In its working directory a run may write {@code progress}, {@code checkpoint} and {@code
 * result}, each beside its name and then renamed ({@link
 * io.callboard.jobs.internal.files.RunFiles}). The node looks at the first two while the run lives,
 * and at all when it has ended; {@code checkpoint} is there from the start if there was one before.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>The record of an outcome ({@link io.callboard.jobs.internal.files.ExitRecord}) is complete
 *       (ends with a line end) or does not exist.
 *   <li>What is read of a working directory is a regular file of at most 64 KiB, opened without
 *       following a link. Everything else is refused, and its job learns why.
 *   <li>A job is given no path to {@code control}, and nothing there is opened that is not a
 *       regular file. That keeps mistakes apart, not users: a job runs as the node's user, and
 *       could end the node itself.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies before the record was written: the run is <i>lost</i>, its outcome unknown,
 *       even if the command had just ended.
 *   <li>Power loss: nothing is forced to disk; a run without files is a lost one.
 *   <li>A log is cut while it is written: output of that instant may be lost; a log may outgrow its
 *       limit until the next check.
 *   <li>A run writes a file in place instead of renaming one: it may be read half written, and is
 *       read again when it has changed.
 * </ul>
 *
 * <p>Everything here blocks, and refuses to run on an event loop ({@link
 * io.callboard.jobs.internal.files.BlockingIo}).
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.files;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
