/**
 * API of actors: what programs use, and nothing of what implements it.
 *
 * <p>{@link io.callboard.Callboard} runs actors in an application's Vert.x; {@link
 * io.callboard.Actor} is what users extend (or {@link io.callboard.DurableStateActor}, {@link
 * io.callboard.PersistentActor}); {@link io.callboard.ActorRef} is how one actor, or any other
 * code, speaks to another.
 *
 * <p>A message takes one way: {@code tell} → envelope → outbox → mailbox → turn loop in its zone →
 * handler, in a turn → commit → the mailboxes of the receivers. The stations on that way are the
 * implementation, which {@link io.callboard.NodeFactory} loads and no program needs.
 */
@NullMarked
@CheckReturnValue
package io.callboard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
