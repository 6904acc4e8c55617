package io.callboard.testkit.tck;

import io.callboard.store.BlobKey;
import io.callboard.store.Store;

/** A fresh cell of the store under test, and the harm that can be done to its nodes. */
public interface TckCell extends AutoCloseable {
  /** What is lost of a commit. */
  enum Loss {
    /** It never arrives. */
    REQUEST,
    /** It arrives, its outcome does not come back. */
    REPLY
  }

  /** One more node of the cell, not opened. */
  Store newStore();

  /** The next commit of {@code store}, one of {@link #newStore()}, ends unknown. */
  void loseNext(Store store, Loss loss);

  /** Ends the session of {@code store} as if it had not been heard of for too long. */
  void expire(Store store);

  /** Takes the body away, whatever refers to it. */
  void loseBlob(BlobKey key);

  /** How many bodies of large messages there are, in use or not. */
  int blobs();

  @Override
  void close();
}
