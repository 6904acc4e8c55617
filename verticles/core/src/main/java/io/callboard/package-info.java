/**
 * The front door: what users program against.
 *
 * <p>{@link io.callboard.Callboard} runs actors in an application's Vert.x; {@link
 * io.callboard.Actor} is what a user extends (or {@link io.callboard.DurableStateActor}, {@link
 * io.callboard.PersistentActor}); {@link io.callboard.ActorRef} is how one actor, or any other
 * code, speaks to another.
 *
 * <p>A message takes one way: {@code tell} → envelope → outbox → mailbox → turn loop in its zone →
 * handler, in a turn → commit → the mailboxes of the receivers. The packages below are that way's
 * stations; users need none of them.
 */
@NullMarked
@CheckReturnValue
package io.callboard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
