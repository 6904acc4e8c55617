/**
 * Source of kind {@code rabbitmq}: a queue of RabbitMQ, by AMQP 0-9-1.
 *
 * <p>The client is RabbitMQ's own, which its makers keep; Vert.x's is a layer over it, which shares
 * a channel between calls on different threads, and connects again by itself: then deliveries would
 * be acknowledged on a channel that does not know them. Its calls block, so two threads make them
 * ({@link io.callboard.pollers.internal.rabbitmq.RabbitThreads}); results are brought to the
 * context of the caller.
 *
 * <h2>Protocol</h2>
 *
 * <ul>
 *   <li><i>Take</i>: a poll is a consumer of its own. Its prefetch is what is asked for, which the
 *       server counts for each consumer alone, so that the deliveries of earlier polls do not
 *       count. It is cancelled when the first messages have come, or after 1.5 s; the server's
 *       answer is behind all deliveries, so what is on the way belongs to the poll. Between two
 *       polls there is no consumer, and nothing is taken. (A prefetch that is changed from poll to
 *       poll cannot do that: 0 means no limit, and what is on the way when it is lowered comes.
 *       {@code basic.get} can, with a round trip for each message, and by asking again and again.)
 *   <li><i>Complete</i>: acknowledgements, with {@code multiple} as far as all below are done; then
 *       a call that is answered, because acknowledgements are not. A channel reads what it gets in
 *       order, so the answer says that they were read.
 *   <li><i>Fail</i>: a copy goes to a retry queue with its delay as time to live, then the message
 *       is acknowledged. The server puts the copy back into the queue when it expires ({@link
 *       io.callboard.pollers.internal.rabbitmq.RetryQueue}).
 *   <li><i>Dead</i>: a copy goes to the dead queue, with the cause; then it is acknowledged.
 *   <li><i>Release</i>: {@code basic.nack} with {@code requeue}.
 *   <li><i>Renew</i>: a quorum queue counts what comes back, also by the end of a connection, and
 *       drops it the 21st time (RabbitMQ 4). So a poll replaces what has come back ten times by a
 *       copy, which counts anew.
 *   <li><i>Publish</i>: to the queue itself (default exchange), durable, {@code mandatory}, and one
 *       after another until each is confirmed.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A receipt is a delivery tag, and a source has one channel that takes: with the channel all
 *       receipts are lost ({@code extend} says so), polls fail, and the poller makes a new source.
 *   <li>A message is acknowledged only after its copy, if it has one, was confirmed.
 *   <li>A copy has the properties of its message, except for what would send it elsewhere: {@code
 *       CC}, {@code BCC}, {@code x-death} (by which servers drop what goes in circles), the user of
 *       its publisher, and a time to live of its own.
 *   <li>Memory: a poll asks for fewer messages while they are large, and the first one for one
 *       ({@link io.callboard.pollers.internal.rabbitmq.PollSizes}); servers know no limit in bytes.
 *   <li>The password is in no message of ours; a URI with one is refused.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The connection ends: what was taken comes again at once, marked as redelivered.
 *   <li>It ends between the copy and the acknowledgement: both come, with the same id.
 *   <li>A message has no id, or is too large: it is set aside by the poll that took it, or if that
 *       fails, by a later one.
 *   <li>A server dies while it puts back what has waited for its time: quorum queues do so at least
 *       once, classic ones at most once.
 *   <li>A queue has a {@code x-delivery-limit} of its own below ten: it drops by that.
 *   <li>The queue is a stream, whose consumers begin behind what was published between two polls:
 *       it is refused at the opening ({@link io.callboard.pollers.internal.rabbitmq.QueueCheck}),
 *       unless the user may not declare it, and so cannot know.
 *   <li>The queue is deleted: polls fail, and so does opening again. Copies that expire then have
 *       nowhere to go and are dropped by the server.
 *   <li>A classic queue of a cluster is on one server; of quorum queues nothing is lost with one of
 *       three.
 *   <li>The server does not answer: calls fail after 5 s, the connection after two heartbeats.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.rabbitmq;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
