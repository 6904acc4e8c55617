/**
 * Sources in Redis: consumer groups of streams, and lists.
 *
 * <p>A source has two connections: one that waits for messages, and one for all else. Once one has
 * ended, its calls fail, and the poller makes a new source, which is a new client of Redis: a
 * client has a name that no other ever has. Each step that changes something is one script, which
 * the server runs as one, so no crash can leave half a step. Times are the server's.
 *
 * <h2>Streams</h2>
 *
 * <p>What is taken is pending in the group with the name of its client and the count of its
 * deliveries; both are compared at each call, so what comes too late changes nothing. A lease is
 * the idle time of a pending entry: to extend is to claim it from oneself, and at a poll those that
 * are idle for longer than the lease are claimed from whoever has them.
 *
 * <p>An entry that failed stays where it is, pending in the name of {@code callboard:delayed}; the
 * sorted set {@code STREAM:callboard:GROUP:delayed} has the time at which a poll claims it again.
 * It is not added to the stream again: other groups of the stream would get a double, it would lose
 * its id, and could not be told from a new one. If the sorted set is lost, its entries are claimed
 * like those of the dead. What is set aside is added to {@code STREAM:callboard:dead} with {@code
 * callboard-id}, {@code callboard-cause}, {@code callboard-group} and {@code callboard-deliveries}
 * before its own fields.
 *
 * <h2>Lists</h2>
 *
 * <p>An element of a list has neither an id nor a place where it can stay while it is handled. So
 * the script that takes it pops it, numbers it ({@code LIST:callboard:last}), and keeps it in the
 * hash {@code LIST:callboard:bodies} until it is complete, with its client and the count of its
 * deliveries in {@code :owners} ({@code 1/DELIVERY/CLIENT}, of which 1 is the format), and either
 * the end of its lease in the sorted set {@code :leases}, or the time of its next delivery in
 * {@code :delayed}. What is due there goes before what is new.
 *
 * <p>The id is this number with a hash of the content. It was given in the step that took the
 * element from the list, so it is the same at each delivery; and equal contents are different
 * messages. If the server loses its last seconds (as after a failover), it gives the same numbers
 * again: then an element that was taken before gets the same id as before, since it comes at the
 * same place; another content gets another id, since the hash differs. If the number is lost
 * altogether, it begins again at the time in microseconds, above all that were given.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A message is in exactly one place: waiting, leased by one client, delayed, or set aside.
 *   <li>Only who has the current delivery of a message can extend it, complete it, give it back or
 *       set it aside.
 *   <li>Nothing is dropped for a limit: when the dead have no room, nothing more is set aside.
 *   <li>Sizes are looked at by the scripts, before anything is sent: what is too large is set aside
 *       there, and a poll ends after {@link io.callboard.pollers.source.Source#MOST_BYTES}. Only a
 *       wait for the next message brings one of any size.
 * </ul>
 *
 * <h2>Windows</h2>
 *
 * <ul>
 *   <li>The connection ends while messages are on their way to a client: they come again when the
 *       lease is over.
 *   <li>The answer to an acknowledgement is lost: if the poller repeats it, nothing happens; with a
 *       new client, either the message is gone or comes again with the same id.
 *   <li>The answer to a sent message is lost: the poller sends it again with the same id; who reads
 *       it with the setting {@code id} drops the double.
 *   <li>Somebody trims the stream or deletes keys of the source: the loss is logged with its size.
 *   <li>The server loses what it has not on disk or on its replicas: that is its configuration
 *       ({@code appendfsync}, {@code min-replicas-to-write}), as is eviction, which must be off.
 * </ul>
 *
 * <p>A cluster of Redis is not supported: the client is connected to one server.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.redis;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
