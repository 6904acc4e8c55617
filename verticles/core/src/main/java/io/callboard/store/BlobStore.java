package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.vertx.core.Future;

/**
 * Store of large bodies, each under a name of its own, never changed. The body of a message or of a
 * snapshot is written before a commit names it, and removed by the commit that no longer needs it
 * ({@link CommitUnit#blobs()}); if no commit ever named it, it is garbage. What an actor
 * {@linkplain #keep keeps} is named by no commit, and garbage if that actor is not stored.
 *
 * <p>It is a part of its {@link Store}, whose commits refer to bodies and remove them, and cannot
 * be replaced alone.
 */
public interface BlobStore {
  /**
   * Stores {@code body} for a message to {@code receiver}, which needs no mailbox yet; completes
   * when it is durable. Nothing refers to it until a commit does. Fails with {@code UNAVAILABLE} if
   * that is not known: then try again, under another name.
   *
   * @param body 1 to {@link Limits#MESSAGE_BYTES} bytes
   */
  Future<BlobRef> write(ActorPath receiver, byte[] body);

  /**
   * Stores {@code content} for {@code owner} to keep, which need not exist yet, and otherwise as
   * {@link #write}; no commit can name it. It stays until it is {@linkplain #forsake forsaken} or
   * {@linkplain #release released}.
   *
   * @param content 1 to {@link Limits#MESSAGE_BYTES} bytes
   */
  Future<BlobRef> keep(ActorPath owner, byte[] content);

  /**
   * Removes all that {@code owner} keeps, whole or not; completes with how many. One that is
   * written meanwhile may stay.
   */
  Future<Integer> release(ActorPath owner);

  /** Reads a whole body; fails with {@code CORRUPT} if it is missing or damaged. */
  Future<byte[]> read(BlobKey key);

  /**
   * Completes with whether a blob is complete, without reading it: only then can a commit name or
   * remove it.
   */
  Future<Boolean> isWhole(BlobKey key);

  /**
   * Removes a blob that no commit will ever name; fails with {@code CONFLICT} if one has named it,
   * or it is gone.
   */
  Future<Void> forsake(BlobKey key);
}
