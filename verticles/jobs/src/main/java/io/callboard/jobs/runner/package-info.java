/**
 * Runs as process groups under a shim: name, request, handle, result and failures of a run.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@code setsid sh shim.sh directory start-by command…} is the leader of a new session and
 * group, so its pid is the group. The shim forks twice: a watcher that reads the pipe from the
 * node, and the command, with {@code /dev/null} as input and the run's log as output. A line in the
 * pipe names a signal that the watcher sends to the group; the end of the pipe means SIGKILL. When
 * the command ends, the shim writes its code to {@code exit} and kills its own group, itself
 * included. So a shim always dies of SIGKILL; the truth is in the record, never in the shim's own
 * status.
 *
 * <h2>Invariants</h2>
 *
 * <p>A result ({@link io.callboard.jobs.runner.RunResult}) is that of the record, or the run is
 * lost: no outcome is guessed. A failure to start ({@link io.callboard.jobs.runner.RunException})
 * says whether the request or the host is at fault.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The shim alone is killed: the node closes the pipe, and the watcher kills the group; how
 *       the command would have ended cannot be known, so the run is lost.
 *   <li>The command is begun after the time in {@code start-by}: the shim does not begin it.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.runner;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
