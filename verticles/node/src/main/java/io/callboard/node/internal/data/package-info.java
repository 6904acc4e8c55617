/**
 * The data directory of a node: its lock, its identity, and how far its store goes.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.node.internal.data.DataDirectory} holds an exclusive lock that ends with
 * the process. The identity of the directory, {@code home-id}, survives restarts. {@link
 * io.callboard.node.internal.data.StoreMark} records how far the embedded ZooKeeper's store goes:
 * once it serves, each half minute and at the stop.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>The holder of the lock knows that every earlier holder is dead.
 *   <li>A copy is refused while its original is in use ({@code CopiedDirectories}): a lock protects
 *       a directory, not its identity, which goes along with each copy.
 *   <li>A store that ends before its mark has lost files, and is not started.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>Without {@code /proc}, and for processes of other users, a copy in use is not found. Writes of
 * the last half minute before a crash are behind the mark: their loss is not noticed here.
 */
@NullMarked
@CheckReturnValue
package io.callboard.node.internal.data;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
