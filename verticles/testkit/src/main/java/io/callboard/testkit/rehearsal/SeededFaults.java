package io.callboard.testkit.rehearsal;

import io.callboard.store.Commit;
import io.callboard.store.memory.MemoryFaults;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Context;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** Faults of one run of a rehearsal, determined by its seed. Thread-safe. */
final class SeededFaults implements MemoryFaults {
  /** Commits, on average, for one that is lost, and for one whose answer is. */
  private static final int LOST = 12;

  /** Answers, on average, for one that is late. */
  private static final int LATE = 12;

  private static final int MOST_DELAY_MS = 400;

  private final Set<Rehearsal.Fault> kinds;
  private final SplittableRandom random;
  private final List<String> list = new ArrayList<>();
  private boolean on;
  private int step;

  SeededFaults(Set<Rehearsal.Fault> kinds, SplittableRandom random) {
    this.kinds = kinds;
    this.random = random;
  }

  /** Begins a step. */
  synchronized void at(int number) {
    step = number;
    on = true;
  }

  /** Ends the faults until the next step. */
  synchronized void end() {
    on = false;
  }

  boolean mayDie() {
    return kinds.contains(Rehearsal.Fault.NODE_DEATH);
  }

  synchronized void add(String what) {
    list.add(what);
  }

  synchronized List<String> list() {
    return List.copyOf(list);
  }

  private boolean chance(Rehearsal.Fault kind, int in) {
    return on && kinds.contains(kind) && random.nextInt(in) == 0;
  }

  @Override
  public synchronized Fault next(Commit commit) {
    if (chance(Rehearsal.Fault.LOST_COMMIT, LOST)) {
      list.add("step %d: commit %d did not arrive".formatted(step, commit.number()));
      return Fault.LOSE_REQUEST;
    } else if (chance(Rehearsal.Fault.LOST_ANSWER, LOST)) {
      list.add("step %d: the answer to commit %d was lost".formatted(step, commit.number()));
      return Fault.LOSE_REPLY;
    }
    return Fault.NONE;
  }

  private synchronized Duration delay() {
    if (!chance(Rehearsal.Fault.DELAY, LATE)) {
      return Duration.ZERO;
    }
    Duration delay = Duration.ofMillis(1 + random.nextInt(MOST_DELAY_MS));
    list.add("step %d: the store answered %d ms late".formatted(step, delay.toMillis()));
    return delay;
  }

  /** Returns an executor that runs the notifications of a store in order, and some of them late. */
  Executor executor(ManualTime time, Context context) {
    return new Late(time, context);
  }

  private final class Late implements Executor {
    private final ManualTime time;
    private final Context context;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    Late(ManualTime time, Context context) {
      this.time = time;
      this.context = context;
    }

    @Override
    public void execute(Runnable task) {
      synchronized (this) {
        Duration delay = waiting.isEmpty() ? delay() : Duration.ZERO;
        if (!waiting.isEmpty() || !delay.isZero()) {
          waiting.add(task);
          if (!delay.isZero()) {
            var unused = time.after(context, delay, this::go);
          }
          return;
        }
      }
      task.run();
    }

    private void go() {
      List<Runnable> due;
      synchronized (this) {
        due = List.copyOf(waiting);
        waiting.clear();
      }
      due.forEach(Runnable::run);
    }
  }
}
