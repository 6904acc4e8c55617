/**
 * Check of a cell for damage and orphans, offline or beside running nodes, with the repair of each
 * finding or the advice for it.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.zookeeper.fsck.Fsck} needs no membership. It lists the names of one
 * partition at a time; such a listing is not of one moment, so what looks odd is a suspect and is
 * read again as of one moment. A deletion is one multi that checks the partition's lease and the
 * versions that were seen, so that it is safe while the partition has an owner. Without {@code fix}
 * nothing is written.
 *
 * <p><b>Orphans.</b> A crash between the steps of making a mailbox leaves a record without one, or
 * parents of a partition that hold nothing; nodes that never come back leave {@code /i} and {@code
 * /s}; a crash between a blob and its commit leaves the blob. They cost nothing but room, and are
 * removed with {@code fix}.
 *
 * <p><b>Damage.</b> Names that are not Callboard's, and znodes that nodes must read and cannot, are
 * reported and never deleted: only an operator can know what they meant. Mail, parked messages and
 * bodies are not read here: the node that reads a damaged one reports it, and parks it.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>Nothing that holds state or mail is deleted.
 *   <li>A blob is deleted only if no message and no snapshot named it within an hour; parents and
 *       records only after a minute in which they may settle; a node only if it is no member, owns
 *       nothing but roles that nobody took since, was not seen for an hour at least, and that was
 *       asked for. Such roles are released in the same multi: a lease is never deleted, as a node
 *       that saw a higher epoch would send nothing there.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>A suspect changes while it is looked at: the multi is refused and the suspect read again, a
 * few times at most. The command dies in between: each multi is whole or not done, and the next run
 * finds the rest.
 *
 * <p>A node that lives may be taken for one to be forgotten: it has lost its session just now, so
 * that it is no member until it has renewed it, and it has written nothing for all that time, as an
 * idle one does. If it is forgotten in that moment, its renewal finds no incarnation, and it stops
 * with {@code NAME_TAKEN}; whatever it still sends is refused, so that nothing is written twice.
 * Whoever forgets nodes makes sure that theirs are stopped.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.fsck;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
