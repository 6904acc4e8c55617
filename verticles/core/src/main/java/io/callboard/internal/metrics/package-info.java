/**
 * Measurements of a node: recorders for the hot path, which neither lock nor allocate. The
 * dashboard shows them; no library of metrics is known here.
 *
 * <h2>Mailboxes</h2>
 *
 * <p>An envelope carries no time. A mailbox's oldest message is as old as the store says that its
 * segment is (ZooKeeper's {@code ctime}), so that its age goes on when its owner is replaced; mail
 * that the owner was pushed, or put there itself, counts from that moment. Times are noted per
 * segment, some {@value io.callboard.internal.metrics.Arrivals#MOST} at most: with more, neighbours
 * share the older time, so that an age is rather too high than too low.
 *
 * <p>The depth is what the owner knows: messages in memory, and behind them segments, of which each
 * holds a message or more.
 *
 * <p><b>Invariants.</b> Counters only rise. No reader and no writer waits for another.
 *
 * <p><b>Failure windows.</b> Counters begin at 0 with the node. A reading beside a write may miss
 * that event. Clocks of node and store that differ shift an age by the difference.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.metrics;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
