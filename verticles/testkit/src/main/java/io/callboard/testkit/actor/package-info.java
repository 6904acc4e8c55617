/**
 * Test of one actor in a node of its own: its messages, its effects, what it stored.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.testkit.actor.TestedActor} runs its actor in a real node, over a store in
 * memory and by a time that stands still; what an actor may do is decided there and nowhere else.
 * An interceptor gives it an {@code ActorContext} that passes every call on and records it, in
 * order; the journal is read from the commits that reach the store, and a failure from the rules of
 * its supervision. The test stands for all other actors: messages to volatile actors go to one that
 * does nothing, asks are answered by the test, watches and children exist only in name.
 *
 * <p><b>Every turn twice.</b> A durable actor's handler may run again after a crash, so it may
 * depend on its state and message only. So each message is given to two objects, in two nodes. One
 * has handled all messages so far, so its fields hold what those messages left; the other is
 * started again from its own store before each call of the test, unless a turn is open. Both begin
 * in the same state, so any difference comes from elsewhere: fields from the past, statics and
 * random numbers from the order of the two, clocks because a millisecond passes between, also
 * between the effects of the answer to an ask.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Every method of the context is passed on, which a test checks.
 *   <li>Asks of the two objects are paired by their place in the turn and get one answer.
 *   <li>Only the first object's effects count; the second enlists nothing and runs nothing after
 *       its commit.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>Not found: a difference that both objects share, as the date, or a static that is only read.
 */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.actor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
