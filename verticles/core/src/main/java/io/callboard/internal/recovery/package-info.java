/**
 * State of one durable actor between its lives: how a life gets it back, and what is written so
 * that the next one can.
 *
 * <p>A start goes this way: {@link ActorLoader} waits for one of the node's permits for recoveries
 * and reads the stored record; {@link StopMark} refuses it if an operator has stopped the actor;
 * {@link ActorRecovery} makes the state of the newest readable snapshot and the events behind it
 * ({@link io.callboard.journal}), on the actor's context, and gives the permit back when nothing
 * more is read. From then on {@link SnapshotWriter} makes snapshots in parallel to the turns.
 * {@link RequestedRedo} holds an operator's wish for another state (a restore, a retroactive
 * correction) until a life has made it; {@link PendingRedo} is the one under way. Who begins a life
 * and when is decided in {@link io.callboard.internal.durable}.
 *
 * <h2>Contexts</h2>
 *
 * <p>{@link ActorLoader}, {@link StopMark}, {@link RequestedRedo} and {@link SnapshotWriter} are
 * owned by the durable context; their futures may complete on any thread. {@link ActorRecovery} is
 * owned by the actor's context: what the store answers is brought there before it is used. A
 * snapshot is encoded on a worker thread, one of a life at a time.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>What was read under a lease is used under no other: the loader asks again when it gets its
 *       permit, and the caller when the record is read.
 *   <li>A permit is given back once for each start, however that ends, and never by another start.
 *   <li>The mark of a stop is removed before the next life begins, and written only when nothing of
 *       the stopped life is left, so that no commit of that life can meet it.
 *   <li>A redo is reported once: as durable, or as not made.
 *   <li>A snapshot is named by a commit or its blob is forsaken; one that cannot be made stops no
 *       turn. The first snapshot after a retroactive correction is made before the actor begins.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The owner dies after an operator's stop and before the mark is written: the next owner runs
 *       the actor. It loses the partition meanwhile: that is logged, and the actor may run there.
 *   <li>The outcome of writing the mark is unknown: it is read and written again.
 *   <li>The owner dies while a redo is under way: its request times out or fails, and the redo is
 *       durable or not; if not, the actor has the state from before.
 *   <li>The owner dies after the blob of a snapshot is written and before a commit names it: the
 *       blob is left for {@code fsck}.
 *   <li>A snapshot cannot be read: the one before it, or the events, serve in its place, and the
 *       failure is in the actor's history.
 *   <li>The store cannot be reached while it is read: that start fails as transient, and no attempt
 *       or restart is counted.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.recovery;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
