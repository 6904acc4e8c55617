/**
 * Values of the job scheduler: jobs, types, runs, hosts, logs, and the options of a node.
 *
 * <p>Immutable, without I/O. {@link io.callboard.jobs.model.Job} is also the shape of a job's JSON;
 * {@link io.callboard.jobs.model.JobSpec} and {@link io.callboard.jobs.model.RetryPolicy} are
 * stored with their jobs. Times are for display, or by the clock of the node that owns the job; no
 * decision compares clocks of two machines but where {@code io.callboard.jobs.internal.gate} says
 * so.
 *
 * <p>{@link io.callboard.jobs.model.JobException} is the only failure of the scheduler's API; its
 * code says what kind of mistake it is.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
