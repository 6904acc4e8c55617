package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.vertx.core.Future;

/**
 * Store of the bodies of large messages, each under a name of its own. A blob is written before a
 * commit names it, never changed, and removed by the commit that no longer needs it ({@link
 * CommitUnit#blobs()}). A blob that no commit ever named is garbage.
 */
public interface BlobLog {
  /**
   * Stores {@code body} for a message to {@code receiver}, which needs no mailbox yet; completes
   * when it is durable. Nothing refers to it until a commit does. Fails with {@code UNAVAILABLE} if
   * that is not known: then try again, under another name.
   *
   * @param body 1 to {@link Limits#MESSAGE_BYTES} bytes
   */
  Future<BlobRef> write(ActorPath receiver, byte[] body);

  /** Reads a whole body; fails with {@code CORRUPT} if it is missing or damaged. */
  Future<byte[]> read(BlobKey key);

  /**
   * Completes with whether a blob is complete, without reading it: only then can a commit name or
   * remove it.
   */
  Future<Boolean> isWhole(BlobKey key);

  /** Removes a blob that no commit will ever name; fails if one has named it. */
  Future<Void> forsake(BlobKey key);
}
