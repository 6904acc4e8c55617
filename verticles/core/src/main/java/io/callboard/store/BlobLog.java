package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.vertx.core.Future;

/**
 * Where the bodies of large messages are, each under a name of its own. A blob is written before a
 * commit names it, never changed, and removed by the commit that is through with it ({@link
 * CommitUnit#blobs()}). One that no commit ever named is garbage.
 */
public interface BlobLog {
  /**
   * Stores {@code body} for a message to {@code receiver}, who needs no mailbox yet; completes when
   * it is durable. Nothing refers to it until a commit does. Fails with {@code UNAVAILABLE} if that
   * is not known: then try again, under another name.
   *
   * @param body 1 to {@link Limits#MESSAGE_BYTES} bytes
   */
  Future<BlobRef> write(ActorPath receiver, byte[] body);

  /** The whole body; fails with {@code CORRUPT} if it is not there, or not as it was written. */
  Future<byte[]> read(BlobKey key);

  /** Whether all of it is there, unread: only then can a commit name or remove it. */
  Future<Boolean> isWhole(BlobKey key);

  /** Removes what was written and will never be named; fails if a commit has named it. */
  Future<Void> forsake(BlobKey key);
}
