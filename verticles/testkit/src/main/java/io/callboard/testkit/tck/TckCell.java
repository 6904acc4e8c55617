package io.callboard.testkit.tck;

import io.callboard.store.BlobKey;
import io.callboard.store.Store;

/** New cell of the store under test, with faults that can be injected into its nodes. */
public interface TckCell extends AutoCloseable {
  /** The lost part of a commit. */
  enum Loss {
    /** Request of the commit. */
    REQUEST,
    /** Reply: the commit arrives, its outcome does not come back. */
    REPLY
  }

  /** Creates another node of the cell, not opened. */
  Store newStore();

  /**
   * Makes the next commit of {@code store}, one of {@link #newStore()}, end with an unknown
   * outcome.
   */
  void loseNext(Store store, Loss loss);

  /** Ends the session of {@code store} as if it had been silent for too long. */
  void expire(Store store);

  /** Removes a body, even if it is referenced. */
  void loseBlob(BlobKey key);

  /** Returns the number of bodies of large messages, in use or not. */
  int blobs();

  @Override
  void close();
}
