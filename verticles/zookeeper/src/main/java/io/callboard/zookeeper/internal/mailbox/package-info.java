/**
 * Mailboxes as znodes: segments, generations, headers, and the room that a sender may use.
 *
 * <h2>Protocol</h2>
 *
 * <p>A mailbox is one znode, its header ({@code OPEN}, {@code FULL} or sealed, and its limit), and
 * its children are its segments: all messages of one commit to it, under a sequential name that
 * tells their count and bytes. So backlog and sizes are known without reading a segment. A commit
 * checks the version of the header of each receiver and creates one segment; consumption is the
 * deletion of segments by the owner.
 *
 * <p><b>Room.</b> {@link io.callboard.zookeeper.internal.mailbox.Mailboxes} remembers headers with
 * their versions, and how much the node may add before it must read again: half of the room that it
 * saw. The owner flips the header to FULL at eight tenths of the limit and to OPEN at four tenths,
 * in its commits; that changes the version which senders check, so their beliefs are corrected by a
 * refusal.
 *
 * <p><b>Generations.</b> ZooKeeper's number of a segment ends at 2³¹ in ways that lose mail. So a
 * turn that reaches number 2³⁰ of a mailbox seals that generation and makes the next in the same
 * commit; senders that find a sealed header go on in the next; when the sealed one is empty, the
 * turn that goes on deletes it.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>I2: sequence numbers of one mailbox rise by one, without gaps (S2), over generations too;
 *       so messages of one sender are in the mailbox in the order of its commits.
 *   <li>I8, for sequences: no segment gets a number much above 2³⁰ of its generation.
 *   <li>A mailbox is bounded by its messages, which the names of its segments tell, and by {@link
 *       io.callboard.store.Limits#MAILBOX_SEGMENTS} segments, whose listing must fit a packet.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>Several senders that do not know of each other overshoot a limit. Whether the owner lives
 *       or not, a sender looks again when it has used up half of the room that it saw, and never
 *       less than 1/{@value io.callboard.store.Limits#BLIND_SHARE} of the limit: the overshoot is
 *       that share for each sender, and what it has under way.
 *   <li>A sender counts the room of the last generation only: while a mailbox changes to the next,
 *       it may hold the rest of the old one beyond its limit.
 *   <li>Recursive watches lose events while disconnected: the owner's sweeps find the mail.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.internal.mailbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
