/**
 * Failure histories of durable actors in the store.
 *
 * <p>{@code ActorHistory} is given each failure with its kind where it is noticed, and by the
 * supervisor the decision that follows. {@code FailureRing} keeps the last ones; an actor without
 * failures has none ({@link io.callboard.internal.lifecycle}). {@link StoredHistory} is the part in
 * the store, written through {@link HistoryWriter}, which all actors of a node share: the stored
 * history is read first and merged; a write replaces it. All of it is owned by the durable context.
 *
 * <p><b>Invariants.</b> H1: no start, turn or commit waits for a history. H2: a history that cannot
 * be read is not overwritten, and an owner that was replaced writes nothing more (the lease is
 * checked). H3: of an actor one write is under way, and the last of any changes is written, unless
 * that fails: then with the next one, or at the next start.
 *
 * <p><b>Failure windows.</b> A node dies before the write: the unwritten part is lost. A node took
 * over from one that is gone: {@code NODE_LOST} is reported of the actors that it runs by name, and
 * of those hosted ones that had mail; hosted actors that were idle there get no entry.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.history;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
