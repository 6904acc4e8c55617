/**
 * Files and memory of the embedded ZooKeeper server: reading its logs and snapshots without a
 * server, purging them, bounding what the server keeps.
 *
 * <p>{@link io.callboard.zookeeper.EmbeddedZooKeeper} starts the server; {@link
 * io.callboard.zookeeper.StoreBackup} and {@link io.callboard.zookeeper.TxnLogRepair} work on its
 * files by what is read here.
 *
 * <h2>Protocol</h2>
 *
 * <p>A store is snapshots and transaction logs in {@code version-2}. {@link
 * io.callboard.zookeeper.internal.server.StoreFiles} lists them, {@link
 * io.callboard.zookeeper.internal.server.SnapshotScan} and {@link
 * io.callboard.zookeeper.internal.server.TxnLogScan} say how far each is whole. A snapshot is
 * written while transactions are applied: only with the log of that time it is a state.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>{@link io.callboard.zookeeper.internal.server.StorePurge} keeps the newest three valid
 *       snapshots and the logs that reach back to the oldest of them.
 *   <li>A damaged record with whole records behind it is damage, and the server does not start; a
 *       last record that was not written to its end is the end of the log.
 *   <li>{@link io.callboard.zookeeper.internal.server.BoundedDatabase} bounds the requests kept in
 *       memory by bytes; ZooKeeper itself bounds their number only.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The disk is full: the server stops and reports why, in one sentence.
 *   <li>Files are gone or cut: a store that ends before a transaction known to be acknowledged is
 *       refused ({@link io.callboard.zookeeper.StoreBehindException}), and nothing is changed.
 *   <li>The process dies while it writes a log: the torn record was never acknowledged.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.server;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
