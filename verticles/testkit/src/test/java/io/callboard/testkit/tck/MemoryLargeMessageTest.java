package io.callboard.testkit.tck;

import io.callboard.store.memory.MemoryCell;

class MemoryLargeMessageTest extends LargeMessageTck {
  @Override
  protected TckCell newCell() {
    return new MemoryTckCell(new MemoryCell());
  }
}
