/**
 * The store on ZooKeeper, and all that knows ZooKeeper and Curator: client, layout and protocol of
 * a cell, the embedded server, the cluster manager of Vert.x.
 *
 * <p>{@link io.callboard.zookeeper.ZooKeeperStore} is the port {@link io.callboard.store.Store} on
 * one cell and joins the rooms below, each of which has its part of the protocol in its own note:
 *
 * <ul>
 *   <li>{@link io.callboard.zookeeper.access}: addresses, credentials, ACLs, TLS;
 *   <li>{@code io.callboard.zookeeper.internal.client}: the plain client behind futures;
 *   <li>{@code io.callboard.zookeeper.internal.layout}: paths and formats of the znodes;
 *   <li>{@code io.callboard.zookeeper.internal.session}: name, incarnation, commit number, renewal;
 *   <li>{@code io.callboard.zookeeper.internal.mailbox}: segments, generations, headers, room;
 *   <li>{@code io.callboard.zookeeper.internal.read}: reads and listings, for owners and others;
 *   <li>{@code io.callboard.zookeeper.internal.lease}: partitions, watches, removal of actors;
 *   <li>{@code io.callboard.zookeeper.internal.blob}: bodies of large messages, and large
 *       snapshots;
 *   <li>{@code io.callboard.zookeeper.internal.commit}: the commit as one multi, and the load of an
 *       actor;
 *   <li>{@link io.callboard.zookeeper.fsck}: damage and orphans;
 *   <li>{@link io.callboard.zookeeper.cluster}: the cluster manager of Vert.x;
 *   <li>{@code io.callboard.zookeeper.internal.server}: files and memory of the embedded server.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <p>S1 to S6 of {@link io.callboard.store}; in this implementation:
 *
 * <ul>
 *   <li>I1, exactly once, and I3, a turn is atomic: {@code io.callboard.zookeeper.internal.commit}.
 *   <li>I2, messages of one sender to one receiver keep their order: {@code
 *       io.callboard.zookeeper.internal.mailbox} and {@code
 *       io.callboard.zookeeper.internal.commit}.
 *   <li>I4, only the owner of a partition writes to it: {@code
 *       io.callboard.zookeeper.internal.lease}.
 *   <li>I5, only the current incarnation of a node writes: {@code
 *       io.callboard.zookeeper.internal.session}.
 *   <li>I6, an actor starts from one consistent view: {@code
 *       io.callboard.zookeeper.internal.commit}.
 *   <li>I7, no effect leaves before its commit: kept by the core, which waits for the outcome that
 *       {@code io.callboard.zookeeper.internal.commit} reports.
 *   <li>I8, no counter of ZooKeeper's reaches its end: {@code
 *       io.callboard.zookeeper.internal.client} for versions, {@code
 *       io.callboard.zookeeper.internal.mailbox} for sequence numbers.
 * </ul>
 *
 * <p>And Z1 to Z3: Z1 in {@code io.callboard.zookeeper.internal.commit}, Z2 in {@code
 * io.callboard.zookeeper.internal.client}, Z3 in {@code io.callboard.zookeeper.internal.layout}.
 *
 * <h2>Damage</h2>
 *
 * <p>A znode that cannot be read stops what depends on it, and nothing else: a lease its partition,
 * a record its actor, a mailbox's header what is sent there (CORRUPT: a message sent from outside
 * fails, those of actors stay in their outboxes), the failovers of a role their display. A member
 * that cannot be read stops claims in the whole cell: its node may own something. A negative
 * version is never used: a znode that has one is reported as damage.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
