package io.callboard.workflows;

import java.util.concurrent.atomic.AtomicInteger;

class H2ArchivedInstancesTest extends ArchivedInstancesCases {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  @Override
  String url(String name) {
    return "jdbc:h2:mem:instances%s%d;DB_CLOSE_DELAY=-1".formatted(name, NUMBER.incrementAndGet());
  }
}
