/**
 * The cluster manager of Vert.x on a session of Curator's, and the addresses of actors.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.zookeeper.cluster.CallboardClusterManager} is Vert.x's own, mended: it
 * asserts again, under the session of the moment, the znodes that its node owns. The stock one
 * never does, so after an expired session later nodes do not see the node, and after a long outage
 * no node sees any other (vertx-zookeeper #69, #105). The session is borrowed: {@link
 * io.callboard.zookeeper.Clustering} ends it.
 *
 * <p>Addresses of actors are not written into ZooKeeper: a clustered consumer costs two znodes and
 * some milliseconds there, and each node watches it (vertx-zookeeper #15, #76). {@code
 * ActorAddresses} asks every other node instead, each under one address of its own that is not
 * registered there either; the first that says yes has the actor. A node remembers the askers and
 * notifies them when it no longer has the address.
 *
 * <h2>Invariants</h2>
 *
 * <p>While a node has a session and runs, its znodes are there under it, at the latest a second
 * after they went. An address costs no znode.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>A notification is lost: remembered addresses are forgotten after half a minute and asked
 *       for again.
 *   <li>A znode of another node is half-written: lengths are checked before they are believed
 *       ({@code NodeInfos}).
 *   <li>A node of an earlier version does not answer such questions: its actors are looked up in
 *       ZooKeeper, where it has registered them.
 * </ul>
 *
 * <p>Leases and commits do not depend on this room.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
