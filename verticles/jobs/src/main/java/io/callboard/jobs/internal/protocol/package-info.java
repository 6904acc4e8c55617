/**
 * Messages, answers and events of the actors of the job scheduler, and the durable state of a job.
 *
 * <p><b>Invariant.</b> All of it is stored or sent between nodes of different versions. So names
 * and fields stay readable: a new field is nullable, with the meaning of null in its description,
 * or a new version comes with its upcaster. The lock file of the module's tests ({@code
 * ProtocolLock} of the test kit) guards that.
 *
 * <ul>
 *   <li>{@link io.callboard.jobs.internal.protocol.JobCommand}, {@link
 *       io.callboard.jobs.internal.protocol.JobAnswer}, {@link
 *       io.callboard.jobs.internal.protocol.JobData}: of {@link
 *       io.callboard.jobs.internal.actor.JobActor};
 *   <li>{@link io.callboard.jobs.internal.protocol.GateCommand}, {@link
 *       io.callboard.jobs.internal.protocol.GateAnswer}, {@link
 *       io.callboard.jobs.internal.protocol.GateEvent}: of {@link
 *       io.callboard.jobs.internal.actor.Gate};
 *   <li>{@link io.callboard.jobs.internal.protocol.MonitorCommand}, {@link
 *       io.callboard.jobs.internal.protocol.MonitorAnswer}: of {@link
 *       io.callboard.jobs.internal.actor.HostMonitor}.
 * </ul>
 *
 * <p><b>Failure window.</b> An older node meets what only a newer one knows: the message is parked
 * with that cause, to be replayed when the node is new. A job in a state that only a newer node
 * knows, or with a run that is alive in one, does not start there: it stays as it is, its mail
 * waits, and it is reported as failed ({@code JobSupervision}).
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.protocol;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
