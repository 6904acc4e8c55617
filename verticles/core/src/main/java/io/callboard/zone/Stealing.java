package io.callboard.zone;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a {@code fork-join} zone. A task that is asked for on one of them goes to the end
 * of that thread's own queue (asynchronous mode), from where idle threads steal; what comes from
 * elsewhere is only looked at by a thread whose own queue is empty. Two actors that keep telling
 * each other would hold their thread for ever; hence every {@value #SHARE}th task of a thread lets
 * one from elsewhere go first. What waits in the own queue of a thread that is blocked is made to
 * come from elsewhere by the watchdog.
 */
final class Stealing extends ForkJoinPool implements Carrier {
  private static final int SHARE = 8;

  Stealing(String name, ZoneOptions options) {
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
  public void carry(Serial serial) {
    execute(serial.turn());
  }

  @Override
  public void after(int nth) {
    if (nth % SHARE == 0) {
      ForkJoinTask<?> fromElsewhere = pollSubmission();
      if (fromElsewhere instanceof Serial.Turn turn) {
        turn.run();
      } else if (fromElsewhere != null) {
        fromElsewhere.quietlyInvoke();
      }
    }
  }

  /**
   * What waits behind a thread that is busy for long is handed in once more, from outside: then the
   * others come to it, too.
   */
  @Override
  public void look(boolean slow) {
    if (slow && getQueuedTaskCount() > 0) {
      List<ForkJoinTask<?>> waiting = new ArrayList<>();
      int unused = drainTasksTo(waiting);
      waiting.forEach(this::execute);
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
