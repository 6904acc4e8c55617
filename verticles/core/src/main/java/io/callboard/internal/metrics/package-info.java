/**
 * What a node measures of itself: recorders for the hot path, which neither lock nor allocate, and
 * what they tell. How that is shown is the dashboard's affair; no library of metrics is known here.
 *
 * <h2>Mailboxes</h2>
 *
 * <p>An envelope carries no time. A mailbox's oldest message is as old as the store says that its
 * segment is (ZooKeeper's {@code ctime}), so that its age goes on when its owner is replaced; mail
 * that the owner was only told of, or put there itself, counts from that moment. Times are noted
 * per segment, some {@value io.callboard.internal.metrics.Arrivals#MOST} at most: with more,
 * neighbours share the older time, so that an age is rather too high than too low.
 *
 * <p>The depth is what the owner knows: messages in memory, and behind them segments, of which each
 * holds a message or more.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
