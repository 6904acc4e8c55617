package io.callboard.journal;

import io.callboard.codecs.BlobRef;
import io.callboard.store.JournalKey;
import io.callboard.store.Loaded;
import io.callboard.store.StoredSnapshot;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stored data from which a durable actor recovers at its start; provided by the toolkit or a test
 * kit. Confined to the actor's context, on which its futures complete.
 */
public interface Recovery {
  /** Returns the stored actor, as it was read. */
  Loaded loaded();

  /** Completes with the bytes of a snapshot in the blob log. */
  Future<byte[]> snapshot(BlobRef blob);

  /** Entries of the journal, in the order of {@code keys}. */
  Future<List<byte[]>> entries(List<JournalKey> keys);

  /** Continues with {@code task} later, so that others get their turn on the thread. */
  void goOn(Runnable task);

  /** Returns whether the start has been given up. */
  boolean isOver();

  /** Returns the reason why it takes too long; null if it does not. */
  @Nullable String late();

  /**
   * Reports the progress of the recovery.
   *
   * @param events replayed so far
   * @param of events that are to be replayed, as far as is known
   */
  void progress(long events, long of);

  /** Returns the request for a recovery other than the usual one; null for the usual one. */
  @Nullable Redo redo();

  /** Returns the reader of events that the journal no longer has; null if they are nowhere. */
  @Nullable EventHistory history();

  /**
   * Returns a future with the same outcome, completed on the same context as those of this
   * interface.
   */
  <T> Future<T> here(Future<T> future);

  /**
   * Reports that a snapshot is of an older {@code apply}, or not wanted: the events before it are
   * used instead.
   */
  void retired(StoredSnapshot snapshot);

  /** Reports that a snapshot could not be read: an older one, or the events, are used instead. */
  void unreadable(StoredSnapshot snapshot, Throwable cause);

  /**
   * Reports the recovered state.
   *
   * @param last the number of the last event in it; 0 if there was none
   * @param newer what was read of newer code on the way
   * @return completes on the actor's context when the actor may begin with it, at once but for a
   *     state that an operator wanted; fails if it cannot be what the operator wanted
   * @throws RuntimeException the same
   */
  Future<Void> recovered(Object state, long last, NewerFields newer);
}
