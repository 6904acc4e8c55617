package io.callboard.internal.zone;

import io.callboard.zone.ZoneOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a {@code fork-join} zone. A task that is asked for on one of them goes to the end
 * of that thread's own queue (asynchronous mode), from where idle threads steal; what comes from
 * elsewhere is only looked at by a thread whose own queue is empty. Two actors that keep telling
 * each other would hold their thread for ever; hence every {@value #SHARE}th task of a thread lets
 * one from elsewhere go first. What waits in the own queue of a thread that is blocked is made to
 * come from elsewhere by the watchdog.
 */
final class ForkJoinThreads extends ForkJoinPool implements ZoneThreads {
  private static final Logger log = LoggerFactory.getLogger(ForkJoinThreads.class);
  private static final int SHARE = 8;

  /** What the queue had no room for; of the watchdog. */
  private final Deque<ForkJoinTask<?>> refused = new ArrayDeque<>();

  ForkJoinThreads(String name, ZoneOptions options) {
    super(options.size(), new Named(name), null, true);
  }

  private static final class Named implements ForkJoinWorkerThreadFactory {
    private final String prefix;
    private final AtomicInteger made = new AtomicInteger();

    Named(String name) {
      this.prefix = name + "-";
    }

    @Override
    public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
      ForkJoinWorkerThread thread = new Worker(pool);
      thread.setName(prefix + made.getAndIncrement());
      return thread;
    }
  }

  private static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool) {
      super(pool);
    }
  }

  @Override
  public void carry(Task task) {
    execute(task);
  }

  @Override
  public void carry(SerialExecutor serial) {
    execute(serial.turn());
  }

  @Override
  public void after(int nth) {
    if (nth % SHARE == 0) {
      ForkJoinTask<?> fromElsewhere = pollSubmission();
      if (fromElsewhere instanceof SerialExecutor.Turn turn) {
        turn.run();
      } else if (fromElsewhere != null) {
        fromElsewhere.quietlyInvoke();
      }
    }
  }

  /**
   * What waits behind a thread that is busy for long is handed in once more, from outside: then the
   * others come to it, too. So is what waits for a thread that could not be made.
   */
  @Override
  public void look(boolean slow) {
    boolean nobody = getPoolSize() == 0 && hasQueuedSubmissions();
    if (nobody || (slow && getQueuedTaskCount() > 0)) {
      int unused = drainTasksTo(refused);
    }
    for (int left = refused.size(); left > 0; left--) {
      handIn(refused.remove());
    }
  }

  private void handIn(ForkJoinTask<?> task) {
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      if (!isShutdown()) {
        refused.add(task); // for the next look
      }
    } catch (Error e) { // no more threads; it is in the queue of those that there are, or come
      log.debug("no thread for what waits", e);
    }
  }

  @Override
  public int threads() {
    return getParallelism();
  }

  @Override
  public void end() {
    var unused = shutdownNow();
  }

  @Override
  public boolean isEnded() {
    return isShutdown();
  }
}
