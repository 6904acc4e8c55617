/**
 * One unit of work for the group commit, built from a batch of turns; the journal entries and
 * parked messages in it.
 *
 * <p>{@link CommitUnitBuilder} turns the effects of handlers into the unit that makes them durable:
 * consumption, state, events, outgoing messages and outbox entries, over the version of the actor's
 * record; units are committed by {@link io.callboard.internal.commit}. {@link ActorJournal} knows
 * the journal entries and snapshots of one persistent actor: it says when a snapshot is due and
 * which entries can go, and trims at most {@link ActorJournal#TRIMS} entries a commit ({@link
 * io.callboard.journal}, invariants J1 to J4). {@link UnreadableSegment} is the format in which a
 * segment that cannot be read is parked. {@link NewerState} keeps the fields that newer code has
 * written into a state.
 *
 * <p>The builder and the journal are machines without I/O. The failure windows of a commit are in
 * {@link io.callboard.internal.outbox}, those of a turn in {@link io.callboard.internal.durable}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.unit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
