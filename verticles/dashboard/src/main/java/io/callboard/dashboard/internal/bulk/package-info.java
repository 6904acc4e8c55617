/**
 * Actions on many items of one kind, as they were selected, at a limited rate.
 *
 * <p>A kind, {@link io.callboard.dashboard.internal.bulk.BulkKind}, is jobs or instances of
 * workflows: how they are found, and what can be done to one. What an action would reach is found
 * first, by {@link io.callboard.dashboard.internal.bulk.Selection}, so that it can be told before.
 * {@link io.callboard.dashboard.internal.bulk.BulkRuns} then does to one item after the other what
 * it would do to one alone, one such run of each kind at a time, and keeps what became of the last
 * ones.
 *
 * <p><b>Invariants.</b> The number of items, the rate, those under way at once and the failures
 * that are listed are bounded; what is left out is counted.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.bulk;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
