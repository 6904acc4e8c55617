/**
 * Blobs in znodes: bodies of large messages, large snapshots, and contents that actors keep.
 *
 * <h2>Protocol</h2>
 *
 * <p>The body of a large message is written before its commit, under the name of its receiver, this
 * node, its boot and a counter: first the header, then parts of 512 KiB, pipelined, at most 4 MiB
 * of all blobs under way, so that no packet is too large and commits are not held up for long. The
 * commit that names the blob writes its header; the commit that consumes its message deletes parts
 * and header. What is read is checked against length and checksum; if it does not fit, it is read
 * once more after a sync.
 *
 * <p>A content that an actor keeps differs by the end of its id, and in that no commit ever writes
 * its header. Its owner removes it, alone or with all that it keeps: the names of a partition's
 * blobs tell which these are.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>S6: a blob that a waiting or parked message names is in the store, whole.
 *   <li>A header at version 0 was never named by a commit. That, with the version as the guard of
 *       its deletion, makes the removal of garbage safe beside commits: a commit that names the
 *       blob meanwhile changes the version.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>A node dies between a blob and its commit: the blob is an orphan, which {@link
 *       io.callboard.zookeeper.fsck.Fsck} removes by its age.
 *   <li>A content is written for an owner that goes meanwhile, or its writer dies while it writes:
 *       it goes with the next removal of all that the owner keeps, or {@code Fsck} removes it, by
 *       its age, if its owner is not stored.
 *   <li>A write fails half-way: {@code UnfinishedBlobs} remembers it, up to 10,000 of them, and
 *       removes it when the store answers again; the rest is left to {@code fsck}.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.blob;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
