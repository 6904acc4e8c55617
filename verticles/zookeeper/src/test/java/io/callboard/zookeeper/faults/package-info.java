/**
 * The durable core under real faults of ZooKeeper, of the network and of nodes, judged by what
 * stands in ZooKeeper's transaction log.
 *
 * <p>{@link io.callboard.audit.TxnLogHistory} is the judge: it knows the layout of the znodes and
 * nothing of the code that writes them.
 */
@NullMarked
package io.callboard.zookeeper.faults;

import org.jspecify.annotations.NullMarked;
