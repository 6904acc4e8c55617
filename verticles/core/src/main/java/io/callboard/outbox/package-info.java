/**
 * How turns become durable: {@link io.callboard.outbox.GroupCommit} packs what is ready into one
 * commit at a time and decides what follows from its outcome, without I/O; {@link
 * io.callboard.outbox.Committer} carries it on the node's durable context.
 *
 * <p>While a commit is under way, what becomes ready waits for the next: an idle node commits one
 * turn at once, a busy one many turns of many actors together.
 *
 * <p>A refused commit names its culprit. That unit alone is failed or held back; the others go
 * again, in order. After an unknown outcome the incarnation is renewed first; then the node's
 * stored commit number tells whether the commit was applied, and only what was not is sent again.
 * So nothing is applied twice and nothing is dropped.
 */
@NullMarked
@CheckReturnValue
package io.callboard.outbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
