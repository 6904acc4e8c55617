package io.callboard.internal.zone;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads of an {@code executor} zone, which belong to the application. The executor is not closed.
 * One that runs a task on the caller's thread has not taken it: an actor's slice would run inside
 * its sender, and inside a lock of the context. When it is shut down before the node, one spare
 * thread runs what is left, so that the node can close; likewise once the zone has ended, whose
 * application may shut its executor down then; should that thread be stuck, others are added.
 */
final class GivenExecutor implements ZoneThreads {
  private static final Logger log = LoggerFactory.getLogger(GivenExecutor.class);

  private final String name;
  private final Executor executor;
  private final Set<Task> pending = ConcurrentHashMap.newKeySet();
  private final ZoneThreads instead;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean ended;

  GivenExecutor(String name, Executor executor, Duration grace) {
    this.name = name;
    this.executor = executor;
    this.instead = new SpareThreads(name + "-instead", 1, new LinkedBlockingQueue<>(), grace);
  }

  private class Offer implements Runnable {
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
        boolean unused = pending.remove(task);
        task.run();
      }
    }
  }

  @Override
  public void carry(Task task) {
    if (ended) {
      instead.carry(task);
    } else if (executor instanceof ExecutorService service && service.isShutdown()) {
      tellShutDown();
      instead.carry(task);
    } else {
      give(task);
    }
  }

  private void give(Task task) {
    Offer offer = new Offer(task);
    boolean unused = pending.add(task);
    boolean taken = false;
    try {
      executor.execute(offer);
      taken = !offer.ranHere;
    } finally {
      offer.offering = null;
      if (!taken) {
        unused = pending.remove(task);
      }
    }
    if (offer.ranHere) {
      throw new RejectedExecutionException(
          name + ": its executor ran a task on the calling thread: give one that does not");
    }
    if (ended) {
      takeBack();
    }
  }

  /** Takes over tasks that a terminated executor has accepted and not begun. */
  @Override
  public void look(boolean slow) {
    if (!ended && executor instanceof ExecutorService service && service.isTerminated()) {
      if (!pending.isEmpty()) {
        tellShutDown();
        takeBack();
      }
    }
  }

  /** Runs tasks that the executor has not begun; should it begin one after all, that runs once. */
  private void takeBack() {
    for (Task task : pending) {
      if (pending.remove(task)) {
        instead.carry(task);
      }
    }
  }

  private void tellShutDown() {
    if (told.compareAndSet(false, true)) {
      log.error(
          "{}: its executor is shut down; one spare thread runs its actors from now on. Close the"
              + " node before its executors",
          name);
    }
  }

  @Override
  public int threads() {
    return 0;
  }

  @Override
  public void end() {
    instead.end();
    ended = true;
    takeBack();
  }
}
