package io.callboard.internal.zone;

import io.callboard.zone.VirtualThreads;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/** Threads of a {@code virtual} zone: one for each task. */
final class ThreadPerTask implements ZoneThreads {
  private final String name;
  private final ThreadFactory factory;
  private volatile boolean ended;

  ThreadPerTask(String name) {
    this.name = name;
    this.factory = VirtualThreads.named(name + "-");
  }

  @Override
  public void carry(Task task) {
    if (ended) {
      throw new RejectedExecutionException(name + " is closed");
    }
    factory.newThread(task).start();
  }

  @Override
  public int threads() {
    return 0;
  }

  @Override
  public void end() {
    ended = true;
  }

  @Override
  public boolean isEnded() {
    return ended;
  }
}
