/**
 * Turn loop of one durable actor: a machine without I/O that decides when the actor reads, handles,
 * commits and parks, and in which order its mail is handled.
 *
 * <p>{@link TurnLoop} holds the actor's record and the mail read ahead, and returns the next {@link
 * TurnStep}, chosen by the first {@link TurnRule} whose condition holds. {@link
 * io.callboard.internal.durable} carries the steps out and describes the failure windows. All loops
 * of a node run on one event-loop context, the <em>durable context</em>, and need no locks;
 * handlers run on the actor's own context in its zone.
 *
 * <p>Messages are handled one after the other; up to {@link Batch#MOST} of them commit together. A
 * failing message ends its batch: those before it commit, its own effects are discarded.
 *
 * <p><b>Invariants.</b> T1: a handler sees the state of the last commit plus the messages handled
 * since, in mailbox order. T2: one handler of an actor runs at a time, in one node. T3: nothing
 * leaves the actor before its turn's commit, except at-least-once effects. T4: a message is
 * consumed by the commit that holds its effects, or by the one that parks it, except at-most-once.
 * T5: at most one commit of an actor's turns is under way, and one more batch is held behind it;
 * the clock is read once for a decision, or two rules could see different times and both commit.
 * T6: a call belongs to the turn in which it was made; calls from an earlier turn, from the start
 * or from another thread are refused ({@code TurnGuard}).
 *
 * <h2>Direct mail</h2>
 *
 * <p>While nothing waits in an exactly-once actor's mailbox, {@link MailboxBypass} hands the loop
 * what code outside of turns tells the actor on its own node; the commit of the turn, with which
 * the tell completes, is the only write. That saves a commit, two operations and the wait between
 * them. A message that must be stored goes into the mailbox, and all later ones behind it: when a
 * handler, of any mail, waits for a future, holds its thread ({@code BypassWatchdog}), fails or
 * stashes its message; when the batch has enlisted work or sends large bodies; when a commit finds
 * no room elsewhere or is refused; at the end of the life; with a priority, a deadline or a large
 * body; beyond {@link MailboxBypass#MOST}. A message in its handler then finds its place by its id
 * ({@link BypassSettlement}) and goes on as if read there: attempts, parking and the stash need the
 * mailbox. If the mailbox has no room, it goes on without a place there; a turn of it that comes to
 * nothing is no attempt. After slow handlers, some messages are not tried this way, twice as many
 * each time.
 *
 * <p><b>Invariants.</b> W1: a message is taken as direct mail only while no other one told on its
 * node waits for room, is under way to the mailbox, or waits in it to be handed out. W2: nothing
 * told on a node goes into a mailbox before it is certain that nothing told there earlier goes
 * behind it. W3: a tell succeeds with the commit of the turn, or of the segment, and with nothing
 * else. W4: a turn whose message may lie in the mailbox commits with the message's place, or after
 * the store has reported that it has none.
 *
 * <h2>Stash</h2>
 *
 * <p>The mail of an actor, in which order it is handled, and how the actor learns of it: {@link
 * io.callboard.internal.readahead}. A stash is bounded, keeps its actor in memory and needs no
 * record: the next life finds it again, in order. <b>Invariant</b> O1: a turn that stashes its
 * message leaves nothing behind. <b>Window:</b> a message that stays stashed while 2³¹ segments
 * pass would stop its mailbox's counter.
 *
 * <h2>Delivery</h2>
 *
 * <p>Modes: {@link io.callboard.DeliveryMode}; bounds: {@link AtMostOnceWindow}, {@link Batch}.
 * At-most-once costs a commit per window, which also holds the effects of the window before, and
 * one more before the actor rests; a failing handler makes a dead letter and a restart behind it.
 * At-least-once needs the fewest commits; it commits at once if it sends durable messages and no
 * mail waits. Exactly-once commits when no mail waits; answers wait for that. The last two count
 * attempts, then park; they repeat what a handler did to the world itself.
 *
 * <p><b>Invariants.</b> D1: an at-most-once message is handled only after a commit that consumed it
 * was seen to be durable. D2: at most a window's messages of an actor are consumed and not
 * completed. D3: each that ends so while its node lives is reported as a dead letter with its
 * cause, to its asker too; if the actor was stopped or disowned while their commit was under way,
 * its effects may be durable all the same. D4: consumed at-most-once messages survive a restart in
 * the node's memory, in order, until another node owns the actor or it is stopped; a new life
 * begins when no commit of the last is under way. D5: an at-least-once message is consumed by the
 * commit that holds its state, events and durable messages.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.turn;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
