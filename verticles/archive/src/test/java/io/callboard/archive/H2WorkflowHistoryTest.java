package io.callboard.archive;

import java.util.concurrent.atomic.AtomicInteger;

class H2WorkflowHistoryTest extends WorkflowHistoryCases {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @Override
  String url(String name) {
    return "jdbc:h2:mem:workflows%s%d;DB_CLOSE_DELAY=-1".formatted(name, NUMBER.incrementAndGet());
  }
}
