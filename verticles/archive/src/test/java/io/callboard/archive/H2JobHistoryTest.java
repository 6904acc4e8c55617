package io.callboard.archive;

import java.util.concurrent.atomic.AtomicInteger;

class H2JobHistoryTest extends JobHistoryCases {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @Override
  String url(String name) {
    return "jdbc:h2:mem:jobs%s%d;DB_CLOSE_DELAY=-1".formatted(name, NUMBER.incrementAndGet());
  }
}
