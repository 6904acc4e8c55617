package io.callboard.internal.zone;

import io.callboard.supervision.Causes;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.impl.VertxThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread pool of a {@code fixed} or {@code elastic} zone, with its queues by priority. The core
 * threads are there from the start; while tasks wait that no idle thread will take, the pool grows
 * up to its maximum; a thread beyond the core ends after it was idle for a while, and any thread
 * once the zone has ended and nothing waits. To Vert.x they are worker threads, on which it refuses
 * to await a future. What waits behind threads that are stuck when the zone ends, or comes later,
 * is run by spare threads.
 */
final class ZonePool implements ZoneThreads {
  private static final Logger log = LoggerFactory.getLogger(ZonePool.class);

  private final String name;
  private final int core;
  private final int max;
  private final long keepAliveNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final PriorityQueues<Task> waiting = new PriorityQueues<>();
  private final Set<Thread> threads = new HashSet<>();
  private int made;
  private int idle;
  private boolean growthFailed;
  private final Consumer<Thread> starter;
  private final SpareThreads late;
  private boolean ended;

  ZonePool(String name, ZoneOptions options, Duration grace) {
    this(name, options, grace, Thread::start);
  }

  /**
   * @param grace time for which {@link SpareThreads} may be idle, and be stuck
   * @param starter starts a thread; throws {@link OutOfMemoryError} if there can be no more
   */
  ZonePool(String name, ZoneOptions options, Duration grace, Consumer<Thread> starter) {
    this.name = name;
    this.starter = starter;
    this.late = new SpareThreads(name + "-late", options.max(), new LinkedBlockingQueue<>(), grace);
    this.core = options.size();
    this.max = options.max();
    this.keepAliveNanos = options.keepAlive().toNanos();
    lock.lock();
    try {
      for (int i = 0; i < core; i++) {
        start();
      }
    } catch (RuntimeException | Error e) {
      end();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void carry(Task task) {
    lock.lock();
    try {
      if (!ended) {
        waiting.add(task.priority(), task);
        growIfNeeded();
        work.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    late.carry(task);
  }

  /**
   * Adds a thread if a task waits that no idle one will take; if there can be no more, the task
   * waits for the present ones, or for the next look.
   */
  private void growIfNeeded() {
    if (waiting.size() <= idle || threads.size() >= max) {
      return;
    }
    try {
      start();
      growthFailed = false;
    } catch (OutOfMemoryError e) { // no more threads, says the operating system
      if (!growthFailed) {
        log.error(
            "{} has {} threads and the operating system allows no more",
            name,
            threads.size(),
            Causes.readable(e));
      }
      growthFailed = true;
    }
  }

  /** Adds the thread that the operating system did not allow before. */
  @Override
  public void look(boolean slow) {
    lock.lock();
    try {
      if (!ended) {
        growIfNeeded();
      }
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    Thread thread = new VertxThread(this::run, name + "-" + made, true, 0, TimeUnit.NANOSECONDS);
    thread.setDaemon(false);
    starter.accept(thread);
    made++;
    threads.add(thread);
  }

  private void run() {
    for (Task next = take(); next != null; next = take()) {
      next.run();
    }
  }

  /** Returns the next task; null if the thread is to end. */
  private @Nullable Task take() {
    lock.lock();
    try {
      long left = keepAliveNanos;
      Task next = waiting.next();
      while (next == null && !ended && (threads.size() <= core || left > 0)) {
        left = await(left);
        next = waiting.next();
      }
      if (next == null) {
        threads.remove(Thread.currentThread());
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a task.
   *
   * @param left nanoseconds that the thread may still be idle
   * @return what is left of that
   */
  private long await(long left) {
    idle++;
    try {
      if (threads.size() > core) {
        return work.awaitNanos(left);
      }
      work.await();
      return keepAliveNanos;
    } catch (InterruptedException e) {
      return left; // whoever interrupts an idle thread means a task that is done, or the end
    } finally {
      idle--;
    }
  }

  @Override
  public int threads() {
    lock.lock();
    try {
      return threads.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end() {
    List<Task> left = new ArrayList<>();
    lock.lock();
    try {
      ended = true;
      for (Task next = waiting.next(); next != null; next = waiting.next()) {
        left.add(next);
      }
      work.signalAll();
    } finally {
      lock.unlock();
    }
    late.end();
    left.forEach(late::carry); // the zone's own threads may be stuck for ever
  }
}
