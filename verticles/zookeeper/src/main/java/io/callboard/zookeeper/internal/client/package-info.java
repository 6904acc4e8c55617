/**
 * The plain ZooKeeper client behind futures: handle, requests, liveness of the session, errors.
 *
 * <p>The commit path uses the plain client, for Curator repeats requests that are not idempotent.
 * Nothing here repeats a request whose outcome is unknown; that decision belongs to {@link
 * io.callboard.zookeeper.internal.session} and {@link io.callboard.zookeeper.internal.commit}.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.zookeeper.internal.client.Connection} has one {@link
 * io.callboard.zookeeper.internal.client.Handle} at a time and replaces it when its session has
 * expired. A handle's futures complete on the client's event thread and fail with ZooKeeper's
 * exception; {@link io.callboard.zookeeper.internal.client.Errors} translates that into the port's
 * kinds. A refused multi names the operation that failed.
 *
 * <p>{@link io.callboard.zookeeper.internal.client.SessionLiveness} reports that the leader has not
 * been heard for two thirds of the session, before the session can end on the server. {@link
 * io.callboard.zookeeper.internal.client.RollbackProbe} tells a slow ensemble from one whose store
 * was restored from an older copy: the latter refuses a client that has seen newer transactions,
 * without a word.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Z2: no request and no response exceeds a packet. Sizes are known before sending: {@link
 *       io.callboard.zookeeper.internal.client.BulkReads} bounds its reads, and {@link
 *       io.callboard.zookeeper.internal.client.RequestPermits} what is in flight, so that large
 *       requests do not hold up commits.
 *   <li>I8, for versions: a data version stays far below 2³¹, where it would become negative and a
 *       version of -1 matches anything. {@link
 *       io.callboard.zookeeper.internal.client.VersionedWrite} deletes a znode whose version
 *       reaches 2³⁰ and creates it again, in one multi: versions begin again with 0. This holds for
 *       records, commit numbers, leases and incarnations.
 * </ul>
 *
 * <p>A fence whose versions begin again must not match a request of its former round; {@link
 * io.callboard.zookeeper.internal.session} and {@link io.callboard.zookeeper.internal.lease} say
 * why it cannot.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The connection is lost: the outcome of every request in flight is unknown. The session
 * expires: its watches and ephemerals are gone, and the next handle has another session. A handle
 * is closed while requests are in flight: they may still be applied.
 *
 * <h2>Threading</h2>
 *
 * <p>Handles never block. {@link io.callboard.zookeeper.internal.client.BlockingReads} waits for
 * each answer, 30 s at most, and is for operators' commands, not for event loops.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.client;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
