package io.callboard.testkit.tck;

import io.callboard.store.BlobKey;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryFaults.Fault;
import io.callboard.store.memory.MemoryStore;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A cell in memory. */
final class MemoryTckCell implements TckCell {
  private static final Map<Loss, Fault> FAULTS =
      new EnumMap<>(
          Map.of(
              Loss.REQUEST, Fault.LOSE_REQUEST,
              Loss.REPLY, Fault.LOSE_REPLY));

  private final MemoryCell cell;
  private final Map<Store, Fault> next = new ConcurrentHashMap<>();

  MemoryTckCell(MemoryCell cell) {
    this.cell = cell;
  }

  @Override
  public Store newStore() {
    Store[] self = new Store[1];
    MemoryStore store =
        new MemoryStore(
            cell,
            Runnable::run,
            commit -> {
              Fault fault = next.remove(self[0]);
              return fault == null ? Fault.NONE : fault;
            });
    self[0] = store;
    return store;
  }

  @Override
  public void loseNext(Store store, Loss loss) {
    next.put(store, FAULTS.get(loss));
  }

  @Override
  public void expire(Store store) {
    TckNode.await(((MemoryStore) store).expire());
  }

  @Override
  public void loseBlob(BlobKey key) {
    cell.loseBlob(key);
  }

  @Override
  public int blobs() {
    return cell.blobs();
  }

  @Override
  public void close() {
    next.clear();
  }
}
