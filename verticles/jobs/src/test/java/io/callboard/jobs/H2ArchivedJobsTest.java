package io.callboard.jobs;

import java.util.concurrent.atomic.AtomicInteger;

class H2ArchivedJobsTest extends ArchivedJobsCases {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @Override
  String url(String name) {
    return "jdbc:h2:mem:archived%s%d;DB_CLOSE_DELAY=-1".formatted(name, NUMBER.incrementAndGet());
  }
}
