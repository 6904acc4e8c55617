package io.callboard.internal.zone;

import io.vertx.core.impl.TaskQueue;
import io.vertx.core.impl.WorkerExecutor;
import io.vertx.core.impl.WorkerTaskQueue;
import io.vertx.core.internal.WorkerPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Serial executor of a context of a {@code fork-join} zone: runs its tasks in order, one at a time,
 * on any thread of the zone. It is in the queue of the zone at most once; a turn ends when there
 * are no more tasks, when it is to yield, and after {@value #TASKS} tasks or {@value
 * #QUANTUM_NANOS} ns; the rest waits for its next turn.
 */
final class SerialExecutor extends WorkerExecutor {
  private static final int TASKS = 64;
  private static final long QUANTUM_NANOS = 2_000_000;
  private static final WorkerTaskQueue UNUSED = new Unused();
  private static final VarHandle WAITING;

  static {
    try {
      WAITING =
          MethodHandles.lookup().findVarHandle(SerialExecutor.class, "waiting", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Owner zone;
  private final Object whose;
  private final Turn turn = new Turn(this);
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private @Nullable Thread running;
  private boolean yields;
  private long askedAt;

  @SuppressWarnings("unused") // through WAITING
  private volatile boolean waiting;

  /** Zone in which it runs: gives it turns and measures them. */
  interface Owner {
    /** Returns the name of the zone. */
    String name();

    /** Returns the monotonic clock. */
    long now();

    /**
     * Requests a turn.
     *
     * @throws RejectedExecutionException if the queue has no room for it
     */
    void ask(SerialExecutor serial);

    /** Runs a turn, on a thread of the zone. */
    void runTurn(SerialExecutor serial);

    /** Runs a task of a turn; its context has handled the exceptions of the user's code already. */
    void runInTurn(Runnable task);

    /** Logs a turn that failed outside of its tasks. */
    void failed(Throwable cause);
  }

  /** Replacement of Vert.x's own queue, which is not used. */
  private static final class Unused extends WorkerTaskQueue {
    private static final TaskQueue.CloseResult EMPTY = new TaskQueue().close();

    @Override
    public TaskQueue.CloseResult close() {
      return EMPTY;
    }
  }

  /** Reusable task that gives the executor its turn, in the queues of the zone. */
  static final class Turn extends ForkJoinTask<Void> {
    private static final long serialVersionUID = 1;

    private final transient SerialExecutor serial;

    Turn(SerialExecutor serial) {
      this.serial = serial;
    }

    void run() {
      serial.zone.runTurn(serial);
    }

    /** Returns false, so that the task neither completes nor fails and can be queued again. */
    @Override
    protected boolean exec() {
      try {
        run();
      } catch (Throwable e) {
        serial.zone.failed(e);
      }
      return false;
    }

    @Override
    @SuppressWarnings("NullAway") // as its superclass has it
    public Void getRawResult() {
      return null;
    }

    @Override
    protected void setRawResult(Void value) {}
  }

  /**
   * @param whose names the actor when a thread is blocked; its path
   */
  SerialExecutor(Owner zone, WorkerPool blocking, Object whose) {
    super(blocking, UNUSED);
    this.zone = zone;
    this.whose = whose;
  }

  Object whose() {
    return whose;
  }

  Turn turn() {
    return turn;
  }

  /** Returns the time at which its next turn was requested. */
  long askedAt() {
    return askedAt;
  }

  @Override
  public boolean inThread() {
    return running == Thread.currentThread();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    ask();
  }

  /** Runs {@code task} in the next turn; called on the executor's thread. */
  void yield(Runnable task) {
    tasks.add(task);
    yields = true;
  }

  private void ask() {
    if (!waiting && WAITING.compareAndSet(this, false, true)) {
      askedAt = zone.now();
      try {
        zone.ask(this);
      } catch (RejectedExecutionException e) {
        waiting = false;
        throw e;
      }
    }
  }

  /**
   * Runs a turn; called by the zone.
   *
   * @param nowNanos the beginning of the turn
   */
  void run(long nowNanos) {
    running = Thread.currentThread();
    yields = false;
    int done = 0;
    try {
      for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
        zone.runInTurn(next);
        done++;
        if (yields || done == TASKS || (isLook(done) && zone.now() - nowNanos > QUANTUM_NANOS)) {
          break;
        }
      }
    } finally {
      running = null;
      waiting = false;
    }
    if (!tasks.isEmpty()) {
      ask();
    }
  }

  /**
   * Returns whether the clock is to be read: after task 1, 2, 4, 8 and then each eighth, for slow
   * tasks have used up their time before.
   */
  private boolean isLook(int done) {
    return (done % 8 == 0 || (done & (done - 1)) == 0) && !tasks.isEmpty();
  }

  /** Refuses {@code Future.await()}, whose thread is needed by others. */
  @Override
  public Execution currentExecution() {
    throw new IllegalStateException(
        "%s cannot await a future in zone %s, which is of kind fork-join: return the future, or use a zone of kind virtual"
            .formatted(whose, zone.name()));
  }
}
