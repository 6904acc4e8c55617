/**
 * Access of a node to its ensemble and its cell: addresses, root, timeouts, credentials, ACLs and
 * TLS.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.zookeeper.access.ZooKeeperOptions} names the ensemble and the cell; {@link
 * io.callboard.zookeeper.access.ZooKeeperAccess} holds {@link
 * io.callboard.zookeeper.access.ZooKeeperCredentials} (scheme {@code digest}) and {@link
 * io.callboard.zookeeper.access.ZooKeeperTls}. Curator's client and the plain one are configured by
 * the same object, so both have the same rights.
 *
 * <p>With credentials every znode is closed to all but their holders ({@code CREATOR_ALL}, set at
 * each creation, for ZooKeeper does not inherit ACLs); without, open. Existing znodes keep the ACL
 * that they were made with.
 *
 * <h2>Invariants</h2>
 *
 * <p>A denial is final: the operation fails as {@code DENIED}, and nothing is tried again. A
 * password is in its file or in memory, never in a text that is logged.
 *
 * <h2>Limits</h2>
 *
 * <p>An answer has 64 MiB at most, or {@code jute.maxbuffer} of the JVM where that is more: the
 * names of one partition may be more than ZooKeeper's default of 1 MiB. Requests are limited by the
 * server.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.access;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
