/**
 * The turn loop: what runs one actor.
 *
 * <h2>Durable actors</h2>
 *
 * <p>{@link io.callboard.internal.turn.TurnLoop} is the machine: it holds what is known of one
 * actor (its record, the mail read ahead) and says what to do next: read, handle, commit, park.
 * {@link io.callboard.internal.durable.DurableRunner} gives the actor its lives, {@link
 * io.callboard.internal.durable.DurableTurns} does through one life what the loop says, {@link
 * io.callboard.internal.durable.DurableCommits} makes it durable. All machines of a node run on one
 * event-loop context, the <em>durable context</em>, so they need no locks; handlers run on the
 * actor's own context in its zone.
 *
 * <p>Messages are handled one after the other against the state as of the one before; up to {@link
 * io.callboard.internal.turn.Batch#MOST} of them commit together. A failing message ends its batch:
 * those before it commit, its own effects never existed.
 *
 * <p>While a batch commits, the actor waits, as an at-most-once one always does, unless each of its
 * turns lets it go on: one whose effect was persisted with {@code persistAsync}, or one that
 * changes nothing durable. Then what is in memory and needs nothing but a handler is handled into
 * the next batch, up to its bounds; that batch commits after the one under way, and falls with it
 * if it is refused: the life ends, and its messages are handled again from what is stored.
 *
 * <p><b>Invariants.</b> T1: a handler sees the state of the last commit plus the messages handled
 * since, in mailbox order. T2: one handler of an actor at a time, in one node. T3: nothing leaves
 * the actor before its turn's commit, but for at-least-once effects. T4: a message is consumed by
 * the commit that holds its effects, or by the one that parks it, but for at-most-once. T5: at most
 * one commit of an actor's turns is under way, and one more batch is held behind it. T6: a call
 * belongs to the turn it was made in: what comes from an earlier one, from the start or from
 * another thread is refused ({@link io.callboard.internal.lifecycle.TurnGuard}).
 *
 * <p><b>Failure windows.</b> Node dies before the commit: nothing happened, the next owner handles
 * the message. After it, before the answer left: the asker times out, the effects are there. Owner
 * replaced while handling: the commit is FENCED, the loop is dropped with its state. A load, a read
 * or a fetch fails because the store cannot be reached, or a commit is STALE: this life ends, the
 * actor is loaded again until that works, and no attempt or restart is counted. Handler fails:
 * attempts are counted in memory, for the message at that place of the mailbox; it is tried again
 * by a new object after the backoff, and parked with its cause after {@link
 * io.callboard.ActorOptions#attempts()}.
 *
 * <p><b>Large messages.</b> Outside of turns, {@link io.callboard.internal.messaging.TellSequencer}
 * keeps the order to a receiver while a body is written to the blob log; what a turn sends is
 * written between its handler and its commit. The loop fetches a body when its message is the next
 * to be handled, one at a time (a message of a higher lane may come between, and have one, too),
 * and holds it no longer than the handler runs; a receiver in the same process gets the message
 * itself. A body that is not there as it was written: the message is parked. {@link
 * io.callboard.internal.messaging.BlobTransfers} bounds what all actors of the node write and fetch
 * at once. Node dies between body and commit: nobody refers to the body, {@code fsck} removes it.
 *
 * <h2>Direct mail</h2>
 *
 * <p>What is told outside of turns, on the node that runs an exactly-once actor, need not lie in a
 * mailbox at all: while nothing waits there, {@link io.callboard.internal.turn.MailboxBypass} gives
 * it to the loop at once, and the commit of its turn is all that is written of it. That saves a
 * commit, two operations and the wait between them. The tell completes with that commit, so that
 * what a sender was told is durable stays true.
 *
 * <p>Whatever needs the message to be stored puts it into the mailbox after all, and all that came
 * later behind it: a handler, of any mail, that waits for a future, or holds its thread ({@link
 * io.callboard.internal.activation.BypassWatchdog}); one that fails, or puts its message aside; a
 * batch that has enlisted work or sends large bodies, which are written before the commit; a commit
 * that finds no room elsewhere, or is refused; the end of the life; a message with a priority, a
 * deadline or a large body; too many ({@link io.callboard.internal.turn.MailboxBypass#MOST}). What
 * is being handled meanwhile finds its place in the mailbox by its id ({@link
 * io.callboard.internal.turn.BypassSettlement}) and goes on as if it had been read there: attempts,
 * parking and the stash are the mailbox's alone. If the mailbox has no room for it, it goes on
 * without, and a turn of it that comes to nothing is no attempt. An actor whose handlers were slow
 * is spared the attempt for some messages, twice as many each time.
 *
 * <p><b>Invariants.</b> W1: a message is taken as direct mail only while no other one told on its
 * node waits for room, is under way to the mailbox, or waits in it to be handed out. W2: nothing
 * told on a node goes into a mailbox before it is certain that nothing told there earlier goes
 * behind it. W3: a tell succeeds with the commit of the turn, or of the segment, and with nothing
 * else. W4: a turn whose message may lie in the mailbox commits with the message's place, or after
 * the store has said that it has none.
 *
 * <p><b>Failure windows.</b> Node dies before the commit: the tell never succeeded, and nothing has
 * happened, but for what the handler did to the world by itself; nobody tries that message again
 * but its sender. A commit whose fate is unknown is settled by the node's commit number, as any.
 * The owner was replaced and does not know: its commit is refused, it puts the message into the
 * mailbox, and the next owner finds it there. Such an owner may also be pushed a segment that the
 * next owner had direct mail before, and handle it with that missing: in a turn that is refused.
 *
 * <h2>Order</h2>
 *
 * <p>What is consumed of a mailbox is all before one place, and stretches beyond it ({@link
 * io.callboard.store.Consumed}): messages of a higher priority are handled before those that they
 * lie behind, and what was put aside stays where it is ({@link
 * io.callboard.internal.turn.PriorityLanes}). A segment goes with its last message. Priorities work
 * among what is in memory, each lane in the order of the mailbox; with {@link
 * io.callboard.internal.turn.Consumption#MOST_STRETCHES} stretches in the record, mail is handled
 * in the order of the mailbox until they are fewer. A stash is bounded, keeps its actor in memory
 * and needs no record: what it holds is found again by the next life, in order. <b>Invariant</b>
 * O1: a turn that puts its message aside leaves nothing behind. <b>Window: </b> a message that lies
 * aside while 2³¹ segments pass would stop its mailbox's counter.
 *
 * <h2>The doorbell</h2>
 *
 * <p>Mail is found by a ladder of hints; each rung may fail, the last does not. First, what a
 * commit of this node put into a mailbox of its own is handed to the loop, and what is for another
 * node's is pushed there ({@link io.callboard.internal.activation.PushSender}), up to {@link
 * io.callboard.internal.link.Push#MOST_BYTES}: a segment that is the next is handled without a
 * read, any other only tells that there is more. Second, the store's watch tells of each new
 * segment. Where pushes have come in time it waits some milliseconds for this one's, as long as
 * each wait brings one; else the mail is read at once, until a push comes before its segment was
 * read. Third, every sweep looks, also when it could not look at the leases.
 *
 * <p><b>What a push may be believed.</b> It is sent only when its commit is known to be applied,
 * with the sequence that the store gave, and a mailbox gives no sequence twice, over all its
 * generations; so what an honest node pushes is what the store holds, however late or often it
 * comes. Late: its sequence lies before the next and it is ignored. Twice: the same. Of a sealed
 * generation: its sequence is not the next. The owner was replaced and does not know: what it does
 * with the push is fenced, as with mail that it has read. The server of the owner lags: the
 * consuming commit is decided by the leader, who has the segment. Damaged: the segment's checksum.
 *
 * <p>Three cases would break this and are guarded. A copy of the cell runs beside it, and a node of
 * the copy believes this node to own the partition: such a node is no live member here, and content
 * is taken only from one that was at the last look at the cell. The partition was given to this
 * node under another epoch than the sender knows: its view is of another time, and content is taken
 * only under the same epoch. A mailbox was deleted and made again, by an operator or half a minute
 * after its actor deleted itself: its record goes with it, so a life that was loaded before is
 * refused as STALE, and a push reaches one boot of one node over a link that gives up after
 * seconds. What fails these checks is a hint without a sequence. The cell was restored from a
 * backup while its nodes ran: that breaks what they hold in memory anyway, with or without pushes;
 * nodes are stopped first.
 *
 * <p>A peer that lies can make up the next segment of a mailbox. The commit that consumes it
 * deletes the segment under a name of its sequence, count and bytes: if the store has none of that
 * name it is refused as STALE, the life ends and the mail is read, and an exactly-once turn has
 * left nothing behind. One that knows a real segment's sequence, count and size could have another
 * handled in its place: who may speak on the event bus is trusted as who may speak to volatile
 * actors, and is kept out by its TLS.
 *
 * <h2>Delivery</h2>
 *
 * <p>The above is exactly-once. Each durable actor has one {@link io.callboard.DeliveryMode}:
 *
 * <table>
 * <caption>What is written when, and what a crash does</caption>
 * <tr><th>mode</th><th>commits</th><th>effects leave</th><th>a crash</th><th>a handler
 *     fails</th><th>cost</th></tr>
 * <tr><td>at-most-once</td><td>consumption of up to {@link io.callboard.internal.turn.AtMostOnceWindow#MOST}
 *     messages, together with what the handlers of those before did; then they are
 *     handled</td><td>after the commit</td><td>loses those consumed whose effects are not durable,
 *     {@code MOST} at most; repeats none</td><td>it is a dead letter; the actor is restarted and
 *     goes on behind it</td><td>a commit per {@code MOST} messages, and one more before it
 *     rests</td></tr>
 * <tr><td>at-least-once</td><td>consumption, state, events and durable messages, after {@link
 *     io.callboard.internal.turn.Batch#COMMIT_AFTER_NANOS} or {@link io.callboard.internal.turn.Batch#MOST}
 *     messages; at once if it sends durable messages and no mail waits</td><td>with the success of
 *     the handler</td><td>handles again what was handled since the last commit: effects are
 *     repeated, state, events and durable messages are not; loses none</td><td>attempts, then
 *     parked</td><td>fewest commits; answers do not wait for one</td></tr>
 * <tr><td>exactly-once</td><td>the same when no mail waits, or after {@code COMMIT_AFTER_NANOS} or
 *     {@code BATCH} messages</td><td>after the commit</td><td>handles again what had no
 *     effect</td><td>attempts, then parked</td><td>answers wait for their commit</td></tr>
 * </table>
 *
 * <p><em>Effects</em> are what is not durable: replies, messages to volatile actors, {@code
 * afterCommit}. What a handler does to the world by itself is repeated in both last modes.
 *
 * <p><b>Invariants.</b> D1: an at-most-once message is handled only after a commit that consumed it
 * was seen to be durable. D2: at most {@code MOST} messages of an actor are consumed and not
 * completed. D3: each that ends so while its node lives is told as a dead letter with its cause,
 * its asker too; if the actor was stopped or disowned while their commit was under way, its effects
 * may be durable all the same. D4: what an at-most-once actor consumed survives its restart in the
 * node's memory, in order, until another node owns the actor or it is stopped; a new life begins
 * when no commit of the last is under way. D5: an at-least-once message is consumed by the commit
 * that holds its state, events and durable messages.
 *
 * <p><b>Failure windows.</b> An owner that was replaced and does not know may still run handlers of
 * messages that it had consumed: nobody else handles them, and what they did is refused. A unit
 * that is too large to commit costs an at-most-once actor all turns in it. A stop or a passivation
 * is a crash to what is handed out or lingers; only an idle actor is passivated.
 *
 * <h2>Volatile actors</h2>
 *
 * <p>{@link io.callboard.internal.inmemory.VolatileRunner} gives the actor its lives, {@link
 * io.callboard.internal.inmemory.VolatileTurns} handles its mail through one of them, in slices on
 * its own context; a message is gone when its handler has begun. A life is an {@link
 * io.callboard.internal.lifecycle.ActorInstance}, for durable actors as well: to Vert.x a
 * deployment below that of the supervisors, so that what it deploys ends with it and it ends with
 * the Vert.x, but one of which Vert.x keeps nothing. A message alone lies in the mailbox as itself;
 * one that is asked for an answer, has a deadline or is a timer's lies there as a {@link
 * io.callboard.internal.mailbox.Delivery}. {@link io.callboard.internal.messaging.MessageSender}
 * finds the receiver through its ref, which remembers it.
 *
 * <p><b>Invariants.</b> V1: one slice of an actor at a time: who wakes a life schedules it once, a
 * new life looks at the mailbox itself, and an ended one does nothing. V2: a life has one end, the
 * crash's or the stop's; a stop gives up the start under way, and waits for the end of that or the
 * end under way; so do the path, the watchers and the children. V3: what is in the mailbox at the
 * end of a stop, or comes at that moment, is a dead letter, and who waits for its answer is told.
 * V4: whoever waits for an answer gets one: the handler's, the failure, {@code STOPPED}, or his
 * time is over ({@link io.callboard.internal.context.TimeoutWheel}). V5: a start that ends in a
 * failure leaves nothing that it deployed; one that holds its thread or gets none fails when its
 * time is over, is cleared away when it ends after all, and nothing starts in its place before. V6:
 * of an actor one object at a time starts, lives or ends on a node, until one that does not end is
 * left behind; what was read under a lease is used under no other.
 *
 * <p><b>Limits of a life:</b> a start has its start timeout; one that waits for a future while its
 * context's thread is held by something else, 5 s more. One that holds its thread is waited for
 * until the actor is stopped or another node owns it; then it is an end. So is any start from then
 * on: one that waits for a future is given up as soon as its thread is free, and what becomes of
 * that future is of no interest any more. A stop has its stop timeout and 5 s more, and once more
 * its stop timeout if there is something that it deployed. After that it is left behind, which is
 * logged, and the actor goes on without it.
 *
 * <p>A handler that holds its thread is told with its stack once its zone notices, and left alone:
 * see V6. One that returns after its turn timeout has failed. A durable turn is measured by itself;
 * a volatile actor's slice by the looks at the clock that it takes anyway, so that what lies
 * between two looks (one message where handlers are slow, {@code LOOK} at most) counts together.
 *
 * <p><b>What goes along</b> between nodes is the {@link
 * io.callboard.internal.messaging.MessageHeaders}: where the answer goes, priority, and how long
 * somebody wants the message handled. Addresses of answers are texts: {@code
 * callboard.node.<boot>#<number>} an ask, {@code durable:/path} and {@code volatile:/path} an
 * actor. {@link io.callboard.internal.messaging.DeathWatch} tell of ends; a watch between nodes is
 * an ask that is answered at the end, and sent again every few seconds. <b>Windows:</b> a node is
 * lost with an actor: its end is told when the cluster manager no longer knows it. A watcher is
 * lost: its watch is forgotten half a minute after it was last sent.
 *
 * <h2>Other protocols, groups, dead letters</h2>
 *
 * <p>An actor that has adapters finds foreign messages in its mailbox, and translates them when
 * they are handled, before its layers: {@link io.callboard.Actor#codec()} reads its own protocol
 * and the foreign ones, {@link io.callboard.Actor#adapted} translates. Both are known from its
 * start; a volatile one's door on the event bus reads both, a durable one's its own protocol.
 *
 * <p>{@link io.callboard.internal.membership.Groups} publishes who of this node is in which group
 * as one fact of the node, with the format of {@link
 * io.callboard.internal.membership.GroupMembership}, and reads those of the others whenever the
 * members of the cell change. <b>Invariants.</b> M1: an actor is listed from its start until its
 * end, its giving up, or its node's end, and by each node that runs it. M2: what is published last
 * is what was true then; a fact that could not be published is published again. M3: a listener is
 * told the last of any changes. <b>Windows:</b> a volatile actor ended, and another node's message
 * to it is refused there; a durable one moves, and is listed by neither node or both for a moment,
 * as one.
 *
 * <p>{@link io.callboard.internal.messaging.DeadLetters} is where every message ends that nobody
 * handles. It holds at most {@value io.callboard.internal.messaging.DeadLetters#MOST_WAITING} for
 * listeners that are slow.
 *
 * <p>{@link io.callboard.internal.inmemory.HeldMessageImpl} is a message that its actor keeps
 * beyond its handler, with the way back; {@link io.callboard.internal.inmemory.DeliveryAttempt} is
 * one attempt of another actor to handle it: way back, and ticket in that one's mailbox, by which
 * it can be taken back until it is begun. <b>Invariant</b> L2: a kept message has one end, whoever
 * comes first; what an attempt answers or refuses is its end, what fails is not. An attempt that
 * lies in a mailbox at the end of its actor is no dead letter: its keeper is told.
 *
 * <p>{@link io.callboard.internal.inmemory.ForwardTracker} is the way back of a message that a
 * router passed on, and counts. <b>Invariant</b> L1: it tells once that the message is over:
 * answered, failed, lost, handled without an answer, given up by its asker, or in a mailbox that is
 * not this node's.
 *
 * <h2>History</h2>
 *
 * <p>{@link io.callboard.internal.lifecycle.ActorHistory} is told each failure with its kind where
 * it is noticed, and by the supervisor what follows from it. {@link io.callboard.turn.FailureRing}
 * keeps the last ones; an actor without failures has none. What a durable actor's owner keeps in
 * the store goes through {@link io.callboard.internal.durable.HistoryWriter}: what is there is read
 * first and merged, a write replaces it. <b>Invariants.</b> H1: no start, turn or commit waits for
 * a history. H2: what cannot be read is not overwritten, and who was replaced writes nothing more
 * (the lease is checked). H3: of an actor one write is under way, and the last of any changes is
 * written, unless that fails: then with the next one, or at the next start. <b>Windows:</b> a node
 * dies before the write: what was not written is lost. A node took over from one that is gone:
 * {@code NODE_LOST} is told of the actors that it runs by name, and of those hosted ones that had
 * mail; who was idle there is not told.
 *
 * <h2>The node</h2>
 *
 * <p>{@link io.callboard.internal.node.CallboardImpl} is what programs see of a node, {@link
 * io.callboard.internal.node.NodeAssembly} its parts put together, {@link
 * io.callboard.internal.node.NodeLifecycle} opens and closes them. {@link
 * io.callboard.internal.activation.DurableActors} has what was spawned and hosted: {@link
 * io.callboard.internal.activation.MailActivator} starts those that have mail, {@link
 * io.callboard.internal.ownership.PartitionOwnership} claims their partitions when {@link
 * io.callboard.internal.ownership.LeaseRefresh} says that it is time to look, {@link
 * io.callboard.internal.activation.OwnedPartitions} tells them what came of it, and {@link
 * io.callboard.internal.activation.StoreEvents} brings what the store tells. {@link
 * io.callboard.internal.messaging.PendingAsks} and {@link
 * io.callboard.internal.eventbus.EventBusEndpoints} connect to the event bus. {@link
 * io.callboard.internal.parked.ParkedMessages} moves parked messages back, or throws them away.
 *
 * <p>What the store's access control denies is not tried again: the actor rests with the cause, a
 * partition is not claimed until an actor of it is resumed or the node starts again, and {@link
 * io.callboard.internal.ownership.AccessDenials} tells once and makes the node not ready. Only what
 * is looked at anyway (the leases, the mail) is looked at again, which is how a right given back is
 * noticed. A partition whose lease nobody can read is not claimed either; its actors rest with the
 * cause, and go on at the first look that can read it.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.turn;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
