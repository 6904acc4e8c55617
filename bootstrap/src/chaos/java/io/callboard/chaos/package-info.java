/**
 * Chaos tool: nodes of the built jar and real ZooKeeper servers, each a process, with a network
 * between them that can be cut; a load from outside; and a judge.
 *
 * <h2>Independence of the judges</h2>
 *
 * <p>The driver counts the accepted messages and reads their effects from ZooKeeper with a plain
 * client, not through Callboard. {@link io.callboard.audit.TxnLogHistory} judges every transaction
 * that ZooKeeper applied, and knows nothing of the load. Jobs take locks of the operating system,
 * so the kernel shows whether more of them ran than allowed.
 *
 * <h2>Network</h2>
 *
 * <p>Each process reaches each other one at a loopback address of that pair, behind which a {@link
 * io.callboard.chaos.Line} carries the bytes. So each direction of each pair is cut alone, without
 * rights that only an administrator has. A cut holds the bytes back, as TCP would send them again.
 * With {@code --network} each process is on a host of its own instead, with an address and a clock
 * of its own: see {@link io.callboard.chaos.NamespaceNetwork}.
 *
 * <h2>Unknown</h2>
 *
 * <p>A tell that ended with an error may have been accepted or not; it counts as neither lost nor
 * doubled. Their number is in the history.
 */
@NullMarked
package io.callboard.chaos;

import org.jspecify.annotations.NullMarked;
