/**
 * One entry for an application that embeds a node: {@link io.callboard.node.CallboardNode} starts
 * everything that a node consists of, with safe defaults, and closes it in the right order.
 *
 * <h2>Protocol</h2>
 *
 * <p>Parts start in this order and close in the reverse: lock of the data directory, embedded
 * ZooKeeper, ZooKeeper session, Vert.x, what {@link io.callboard.node.NodeOptions#prepare} opened,
 * actors with their grid, what {@link io.callboard.node.CallboardNode#onClose} added. The order is
 * what makes a {@code kill -9} harmless: the lock proves that the process before is dead, so its
 * name is taken over at once.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A start that fails leaves nothing behind: what was started is closed again.
 *   <li>Each part closes at most once; a part that fails to close does not keep the others open.
 *   <li>Starting and closing block, for a bounded time.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>The embedded ZooKeeper fails (a full disk): the node closes, and waits a second at most for
 * each part that would need ZooKeeper. What was acknowledged is on disk.
 */
@NullMarked
@CheckReturnValue
package io.callboard.node;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
