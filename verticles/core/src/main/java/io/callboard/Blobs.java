package io.callboard;

import io.callboard.codecs.BlobRef;
import io.callboard.store.Limits;
import io.vertx.core.Future;

/**
 * Durable contents that are too large for a message, a state or an event. Each belongs to a durable
 * actor, its owner, whose messages, events and state refer to it by its {@link BlobRef}: a record
 * that may be a component of any of them. A content is written before anything refers to it, and
 * never changed.
 *
 * <p>A content is no part of a turn: it stays until it is removed. So an owner that goes removes
 * all of its contents first ({@link #removeAll}), also those that were written for it and that it
 * never heard of, because their writer died. What is written for an actor that is gone by then is
 * found by {@code fsck} an hour later, which removes contents of actors that are not stored.
 *
 * <p>While the store is unavailable, the methods wait. Thread-safe.
 */
public interface Blobs {
  /** Upper limit of one content. */
  int MOST_BYTES = Limits.MESSAGE_BYTES;

  /**
   * Stores a content for the durable actor at {@code owner}, which may be on any node, running or
   * not; completes when it is durable. The array must not be changed before that.
   *
   * @param content 1 to {@link #MOST_BYTES} bytes
   * @return where it is; fails with {@link IllegalArgumentException} if it is empty or over its
   *     limit
   */
  Future<BlobRef> write(String owner, byte[] content);

  /**
   * Reads a content of {@code owner}.
   *
   * @return fails with {@link io.callboard.store.StoreException} of kind {@code CORRUPT} if it is
   *     not there as it was written, because it was removed for example
   */
  Future<byte[]> read(String owner, BlobRef blob);

  /**
   * Removes a content of {@code owner}; does nothing if it is gone. Fails with {@link
   * IllegalArgumentException} for a reference that {@link #write} did not make.
   */
  Future<Void> remove(String owner, BlobRef blob);

  /** Removes all contents of {@code owner}; completes with how many there were. */
  Future<Integer> removeAll(String owner);
}
