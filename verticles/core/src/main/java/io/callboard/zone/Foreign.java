package io.callboard.zone;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An {@code executor} zone: somebody else's threads. The executor is not closed. One that runs a
 * task on the caller's thread has not taken it: an actor's slice would run inside of its sender,
 * and inside of a lock of the context.
 */
final class Foreign implements Carrier {
  private final String name;
  private final Executor executor;
  private volatile boolean ended;

  Foreign(String name, Executor executor) {
    this.name = name;
    this.executor = executor;
  }

  private static final class Offer implements Runnable {
    private final Task task;
    private @Nullable Thread offering = Thread.currentThread();
    private boolean ranHere;

    Offer(Task task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (Thread.currentThread() == offering) {
        ranHere = true;
      } else {
        task.run();
      }
    }
  }

  @Override
  public void carry(Task task) {
    if (ended) {
      throw new RejectedExecutionException(name + " is closed");
    }
    Offer offer = new Offer(task);
    try {
      executor.execute(offer);
    } finally {
      offer.offering = null;
    }
    if (offer.ranHere) {
      throw new RejectedExecutionException(name + ": its executor ran a task on its caller");
    }
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
