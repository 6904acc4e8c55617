package io.callboard.store.memory;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.store.BlobKey;
import io.callboard.store.BlobStore;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.vertx.core.Future;

/** The blob log of a {@link MemoryStore}. */
final class MemoryBlobs implements BlobStore {
  private final MemoryStore store;
  private final MemoryCell cell;

  MemoryBlobs(MemoryStore store, MemoryCell cell) {
    this.store = store;
    this.cell = cell;
  }

  @Override
  public Future<BlobRef> write(ActorPath receiver, byte[] body) {
    Limits.checkBlob(body);
    return store.whileOpen(() -> cell.writeBlob(receiver, body));
  }

  @Override
  public Future<BlobRef> keep(ActorPath owner, byte[] content) {
    Limits.checkBlob(content);
    return store.whileOpen(() -> cell.keepBlob(owner, content));
  }

  @Override
  public Future<Integer> release(ActorPath owner) {
    return store.whileOpen(() -> cell.releaseBlobs(owner));
  }

  @Override
  public Future<byte[]> read(BlobKey key) {
    return store.whileOpen(
        () ->
            cell.blob(key)
                .filter(key.blob()::fits)
                .orElseThrow(() -> StoreException.corrupt(key + " is missing")));
  }

  @Override
  public Future<Boolean> isWhole(BlobKey key) {
    return store.whileOpen(() -> cell.blob(key).isPresent());
  }

  @Override
  public Future<Void> forsake(BlobKey key) {
    return store.whileOpen(
        () -> {
          cell.forsakeBlob(key);
          return null;
        });
  }
}
