/**
 * Actions on many jobs, as they were selected, at a limited rate.
 *
 * <p>What an action would reach is found first, by {@link
 * io.callboard.dashboard.bulk.JobSelection}, so that it can be told before. {@link
 * io.callboard.dashboard.bulk.BulkJobs} then does to one job after the other what it would do to
 * one alone, one such run at a time, and keeps what became of the last ones.
 *
 * <p><b>Invariants.</b> The number of jobs, the rate, those under way at once and the failures that
 * are listed are bounded; what is left out is counted.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.bulk;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
