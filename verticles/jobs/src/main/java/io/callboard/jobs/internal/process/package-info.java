/**
 * Runs of jobs as operating system processes: started under a shim, bounded, killed as a group, and
 * found again after the death of the node.
 *
 * <p>Files are in {@link io.callboard.jobs.internal.files}; name, request and result of a run in
 * {@link io.callboard.jobs.internal.runner}.
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
 * <p>A host must end its runs before others may think it dead. {@link
 * io.callboard.jobs.internal.process.ProcessRunner#mayRunUntil} says until when they may go on;
 * after that the node kills them. A frozen node cannot: so beside each node runs {@code guard.sh}
 * ({@code RunWatchdog}), which gets the same time through a pipe and kills every group of the boot
 * one to two seconds later. (The holder of a lease enforces it by its own clock: Gray and Cheriton,
 * <i>Leases</i>, SOSP 1989.)
 *
 * <p>Between the node's look at that time and the begin of a command the node may stand still for
 * any time; a guard cannot end a process that does not exist yet. So the shim checks the time, too,
 * right before it begins the command, and does not begin it after {@code start-by}.
 *
 * <p>A node that learns a later time only when the earlier one has passed kills its runs, and takes
 * others once its guard knows the later time: until then that might kill them.
 *
 * <p>A kill is SIGTERM to the group, SIGKILL after the grace or as soon as the command has ended,
 * and looks until nothing is left. One that leaves processes is reported and repeated every five
 * seconds; the result of its run waits for that.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A run id is started at most once, across restarts: its directory is created exclusively.
 *   <li>When a result is delivered, every process of the group has ended or has a SIGKILL pending
 *       (the kernel sends it to a group atomically, forks in flight included).
 *   <li>A group's number is not given to another process while the group has a member; so a reaped
 *       leader and a new process with its pid prove that the group is empty.
 * </ul>
 *
 * <h2>Systems and threads</h2>
 *
 * <p><b>Systems.</b> Linux with util-linux or busybox. Without {@code setsid} Perl's {@code
 * POSIX::setsid} is taken. Without {@code /proc} groups are killed but not verified, and the sweep
 * finds nothing.
 *
 * <p><b>Threading.</b> Nothing here blocks an event loop: {@link
 * io.callboard.jobs.internal.process.ProcessRunner} works on threads of its own and answers on the
 * caller's context; the classes that block say so and refuse to run on an event loop.
 *
 * <p>What happens when shim, watcher, guard or node die is in {@code
 * bootstrap/docs/design/job-processes.md}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.process;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
