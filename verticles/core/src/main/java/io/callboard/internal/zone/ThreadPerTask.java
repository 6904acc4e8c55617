package io.callboard.internal.zone;

import io.callboard.zone.VirtualThreads;
import java.util.concurrent.ThreadFactory;

/** Threads of a {@code virtual} zone: one for each task. */
final class ThreadPerTask implements ZoneThreads {
  private final ThreadFactory factory;

  ThreadPerTask(String name) {
    this.factory = VirtualThreads.named(name + "-");
  }

  @Override
  public void carry(Task task) {
    factory.newThread(task).start();
  }

  @Override
  public int threads() {
    return 0;
  }

  @Override
  public void end() {
    // each thread ends with its task
  }
}
