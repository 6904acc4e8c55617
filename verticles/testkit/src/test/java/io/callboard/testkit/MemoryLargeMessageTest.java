package io.callboard.testkit;

import io.callboard.store.MemoryCell;

class MemoryLargeMessageTest extends LargeMessageTck {
  @Override
  protected TckCell newCell() {
    return new MemoryTckCell(new MemoryCell());
  }
}
