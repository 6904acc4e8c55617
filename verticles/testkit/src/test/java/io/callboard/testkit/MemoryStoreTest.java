package io.callboard.testkit;

import io.callboard.store.MemoryCell;
import io.callboard.store.MemoryFaults.Fault;
import io.callboard.store.MemoryStore;
import io.callboard.store.Store;
import java.time.Clock;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

class MemoryStoreTest extends StoreTck {
  private static final Map<TckCell.Loss, Fault> FAULTS =
      new EnumMap<>(
          Map.of(
              TckCell.Loss.REQUEST, Fault.LOSE_REQUEST,
              TckCell.Loss.REPLY, Fault.LOSE_REPLY));

  @Override
  protected TckCell newCell(int mailboxLimit) {
    MemoryCell cell = new MemoryCell(8, mailboxLimit, Clock.systemUTC());
    Map<Store, Fault> next = new HashMap<>();
    return new TckCell() {
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
      public void close() {
        next.clear();
      }
    };
  }
}
