/**
 * Source of kind {@code kafka}: a topic of Apache Kafka, read by a consumer group.
 *
 * <p>The client is Kafka's own, on a thread of its own, and not Vert.x's, which reads ahead of what
 * is asked for, hands records over after a rebalance has taken their partition, and has no moment
 * to commit before a partition is given up. All three break promises; with Kafka's consumer they
 * are a few lines. Results are brought to the context of the caller.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.pollers.internal.kafka.ConsumerThread} owns the consumer, {@link
 * io.callboard.pollers.internal.kafka.ConsumerLoop} is its turn: commit what was acknowledged,
 * answer the poll that waits, poll the consumer, do what was asked for meanwhile. The consumer is
 * polled for ever, also when nobody polls the source: a consumer that is not polled loses its
 * group. A partition is paused unless a poll waits, none of its records does, and its window has
 * room.
 *
 * <ul>
 *   <li><i>Take</i>: records that were read wait in their {@link
 *       io.callboard.pollers.internal.kafka.AssignedPartition}; each lane gives one in turn.
 *   <li><i>Complete</i>: {@link io.callboard.pollers.internal.kafka.OffsetWindow} commits the
 *       lowest offset that is not done. The future ends when that is committed which may be.
 *   <li><i>Fail</i>: a copy goes to the retry topic, with id, failures, time and cause; then the
 *       record is done. The same group reads the retry topic, whose records wait in their lane
 *       until they are due. Each of its partitions has delays of one size ({@link
 *       io.callboard.pollers.internal.kafka.RetryTopic}).
 *   <li><i>Dead</i>: a copy goes to the dead topic, with the cause; then the record is done.
 *   <li><i>Release</i>: the record is put back into its lane. It stays with this member as long as
 *       its partition does, and goes to the next one with it.
 *   <li><i>Rebalance</i>: what is done of a revoked partition is committed, then its window, its
 *       lane and its deliveries are forgotten; {@code extend} reports these as lost.
 *   <li><i>Begin</i>: a partition for which nothing is committed delivers nothing until it is
 *       committed where it begins ({@link io.callboard.pollers.internal.kafka.InitialOffsets}).
 *   <li><i>Purge</i>: once a minute what is done is deleted from the retry topic ({@link
 *       io.callboard.pollers.internal.kafka.RetryPurge}), which belongs to the group.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>An offset is committed only if all before it are done, in this client, since it got the
 *       partition.
 *   <li>A record is done only after its successor, if it has one, is on all replicas in sync.
 *   <li>Memory: for each partition one batch of the consumer ({@code max.poll.records}) waits at
 *       most, and {@code window} offsets; bodies only of what waits or is open.
 *   <li>Headers of ours are believed in the retry topic only.
 *   <li>Values of {@code client} are never logged.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The process dies: what was done after an offset that was not is delivered again, with the
 *       same id. Its partitions are free when its session is over (10 s), or at once if it is a
 *       static member ({@code member}) and another takes its place.
 *   <li>It dies between the copy and the commit: the record and its copy are delivered, with the
 *       same id.
 *   <li>A commit or a copy is not answered: the call fails, and may be repeated; a copy may then be
 *       there twice, with the same id.
 *   <li>Brokers are away: a poll without messages asks for an end offset, so that it fails and is
 *       no "none".
 *   <li>The brokers forget the offsets of a group that has no member for seven days: it begins
 *       anew, as {@code from} says; the retry topic has then only what was not done.
 *   <li>What was committed is deleted by the topic's own limits: it goes on with the earliest left.
 *   <li>Brokers lose records (an unclean election), or the topic is made again, and offsets begin
 *       again lower: the source is opened again. Records of another topic have other ids ({@link
 *       io.callboard.pollers.internal.kafka.TopicIdentity}). New ones of the same topic have ids
 *       that were there before: those with another content are set aside, with that cause.
 *   <li>A delay is longer than those before it in its partition of the retry topic: those behind it
 *       wait for it, about ten times their own delay at most, and up to the longest beyond an hour.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.kafka;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
