package io.callboard.testkit.tck;

import io.callboard.store.memory.MemoryCell;
import java.time.Clock;

class MemoryStoreTest extends StoreTck {
  @Override
  protected TckCell newCell(int mailboxLimit) {
    return new MemoryTckCell(new MemoryCell(8, mailboxLimit, Clock.systemUTC()));
  }
}
