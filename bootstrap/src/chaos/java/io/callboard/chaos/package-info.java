/**
 * The chaos tool: nodes of the built jar and real ZooKeeper servers, each a process, with a network
 * between them that can be cut; a load from outside; and a judge.
 *
 * <h2>What is independent of what</h2>
 *
 * <p>The driver counts what was accepted, and reads what came of it out of ZooKeeper with a plain
 * client, not through Callboard. {@link io.callboard.audit.TxnLogHistory} judges every transaction
 * that ZooKeeper applied, and knows nothing of the load. Jobs take locks of the operating system,
 * so the kernel tells whether more of them ran than may.
 *
 * <h2>Network</h2>
 *
 * <p>Each process sees each other one under a loopback address of that pair, behind which a {@link
 * io.callboard.chaos.Line} carries the bytes. So each direction of each pair is cut alone, without
 * rights that only an administrator has. A cut holds what is sent, as TCP would send it again.
 *
 * <h2>Unknown</h2>
 *
 * <p>A tell that ended with an error may have been accepted or not; it counts as neither lost nor
 * doubled. How many there are is in the history.
 */
@NullMarked
package io.callboard.chaos;

import org.jspecify.annotations.NullMarked;
