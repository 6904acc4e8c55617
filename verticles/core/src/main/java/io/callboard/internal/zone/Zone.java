package io.callboard.internal.zone;

import io.callboard.admin.ZoneStatus;
import io.callboard.supervision.Causes;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.Kind;
import io.callboard.zone.ZoneOptions.WhenFull;
import io.callboard.zone.ZonePriority;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduling zone of a node: schedules the slices of its actors and measures them. Used by any
 * thread.
 */
public final class Zone implements SerialExecutor.Owner {
  private static final Logger log = LoggerFactory.getLogger(Zone.class);

  private final String name;
  private final ZoneOptions options;
  private final @Nullable ZoneThreads zoneThreads;
  private final @Nullable ZoneThreads spares;
  private final LongSupplier nanoTime;
  private final Runnable whenEnded;
  private final ThreadStates threadStates;
  private final ZoneMeter meter = new ZoneMeter();
  private final ZoneWatch report;
  private final AtomicInteger actors = new AtomicInteger();
  private final @Nullable RejectedTasks rejectedTasks;
  private final Map<Runnable, Integer> suspended = new ConcurrentHashMap<>();
  private final AtomicInteger executors = new AtomicInteger();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Map<ZonePriority, DeploymentOptions> deployments =
      new EnumMap<>(ZonePriority.class);
  private final Consumer<Task> runner = this::runTask;
  private volatile boolean full;

  /**
   * @param fullName the name of its threads, without their number
   * @param loops the number of event loops of the Vert.x instance
   * @param soon runs something a little later, on no thread of a zone
   * @param grace time for which its {@link SpareThreads} may be idle, and be stuck
   * @param blockedListener notified of actors that block a thread
   * @param whenEnded called when its threads are no longer needed
   */
  Zone(
      String name,
      String fullName,
      ZoneOptions options,
      int loops,
      LongSupplier nanoTime,
      Function<Runnable, Runnable> soon,
      Duration grace,
      BlockedListener blockedListener,
      Runnable whenEnded) {
    this.name = name;
    this.options = options;
    this.nanoTime = nanoTime;
    this.whenEnded = whenEnded;
    this.threadStates =
        new ThreadStates(options.kind() == Kind.VIRTUAL || options.kind() == Kind.EXECUTOR);
    this.zoneThreads = ZoneThreads.of(fullName, options, grace);
    this.rejectedTasks =
        zoneThreads == null
            ? null
            : new RejectedTasks(name, zoneThreads, nanoTime, soon, this::alone);
    this.spares =
        options.kind() == Kind.FORK_JOIN || options.kind() == Kind.EXECUTOR
            ? new SpareThreads(fullName, ZoneOptions.MAX_SIZE, new SynchronousQueue<>(), grace)
            : null;
    this.report =
        new ZoneWatch(
            name, options, loops, meter, threadStates, nanoTime.getAsLong(), blockedListener);
  }

  @Override
  public String name() {
    return name;
  }

  ZoneOptions options() {
    return options;
  }

  /** Returns the deployment options of verticles in this zone, by priority; filled at the start. */
  Map<ZonePriority, DeploymentOptions> deployments() {
    return deployments;
  }

  // Scheduling.

  /**
   * Runs a slice of an actor on its context, after what is queued there.
   *
   * @param context deployed in this zone
   * @param whose names the actor when a thread is blocked; its path
   */
  public void schedule(Context context, Object whose, Runnable slice) {
    if (serial(context) != null) {
      context.runOnContext(v -> slice.run());
      return;
    } else if (zoneThreads != null) {
      context.runOnContext(v -> runSlice(whose, slice));
      return;
    }
    long askedAt = nanoTime.getAsLong();
    meter.waiting.incrementAndGet();
    context.runOnContext(
        v -> {
          meter.waiting.decrementAndGet();
          meter.waits.record(nanoTime.getAsLong() - askedAt);
          runSlice(whose, slice);
        });
  }

  /**
   * Schedules a slice as {@link #schedule} does, but after everything that waits in the zone had
   * its turn: for an actor that has used up its quantum. Must be the last call of a slice.
   */
  public void yield(Context context, Object whose, Runnable slice) {
    ContextInternal internal = (ContextInternal) context;
    SerialExecutor serial = serial(context);
    if (serial != null) {
      serial.yield(() -> internal.dispatch(slice));
    } else if (zoneThreads != null
        && internal.workerPool().executor() instanceof ZoneExecutor executor) {
      executor.yield(() -> context.runOnContext(v -> runSlice(whose, slice)));
    } else {
      schedule(context, whose, slice);
    }
  }

  private static @Nullable SerialExecutor serial(Context context) {
    return ((ContextInternal) context).executor() instanceof SerialExecutor serial ? serial : null;
  }

  /** Returns whether contexts of actors run on a {@link SerialExecutor}. */
  boolean isSerial() {
    return zoneThreads instanceof ForkJoinThreads;
  }

  private void runSlice(Object whose, Runnable slice) {
    long begun = enter(whose);
    try {
      slice.run();
    } finally {
      leave(begun);
    }
  }

  /**
   * Marks the calling thread as running code of that actor: a slice, a start, a stop. On the
   * actor's context.
   *
   * @return the argument for {@link #leave}
   */
  public long enter(Object whose) {
    ThreadState threadState = threadStates.mine();
    long begun = 0;
    if (!threadState.isTaken()) {
      begun = nanoTime.getAsLong();
      threadState.take(begun, whose);
    } else {
      threadState.label(whose);
    }
    return begun;
  }

  /** Ends what {@link #enter} began, on the same thread. */
  public void leave(long begun) {
    ThreadState threadState = threadStates.mine();
    if (begun == 0) {
      threadState.label(null);
    } else {
      ended(threadState, begun);
    }
  }

  private void ended(ThreadState threadState, long begun) {
    meter.tasks.increment(); // before it is seen to be at rest
    threadStates.leave(threadState);
    meter.busy.add(nanoTime.getAsLong() - begun);
  }

  /** Takes work of a context of this zone. */
  void accept(ZonePriority priority, Runnable work) {
    ThreadState threadState = threadStates.here();
    if (threadState == null) {
      submit(task(priority, work), carrierOf(work));
    } else if (!threadState.takesOver(work)) {
      if (spares != null && threadState.suspends(work)) {
        int unused = suspended.merge(work, 1, Integer::sum);
      }
      submit(task(priority, work), carrierOf(work));
    }
  }

  private Task task(ZonePriority priority, Runnable work) {
    return new Task(runner, priority, work, false, nanoTime.getAsLong());
  }

  /**
   * Returns the threads for the work; work of a context in which a thread is blocked is not queued
   * behind that thread.
   */
  private @Nullable ZoneThreads carrierOf(Runnable work) {
    return spares != null && !suspended.isEmpty() && suspended.containsKey(work)
        ? spares
        : zoneThreads;
  }

  void yield(ZonePriority priority, Runnable work) {
    submit(new Task(runner, priority, work, true, nanoTime.getAsLong()), zoneThreads);
  }

  private void submit(Task task, @Nullable ZoneThreads by) {
    oneMoreWaits();
    offer(task, by);
  }

  private void oneMoreWaits() {
    int waiting = meter.waiting.incrementAndGet();
    if (options.queue() > 0 && waiting > options.queue()) {
      meter.overflowed.increment();
      tellFull(true);
    }
  }

  @Override
  public void ask(SerialExecutor serial) {
    if (zoneThreads == null || rejectedTasks == null) {
      throw noThreads();
    }
    oneMoreWaits();
    try {
      zoneThreads.carry(serial);
    } catch (RejectedExecutionException e) {
      meter.waiting.decrementAndGet();
      throw e;
    } catch (Error e) { // no more threads; it is in the queue of those that there are
      meter.rejected.increment();
      rejectedTasks.tell(e);
    }
  }

  @Override
  public void runTurn(SerialExecutor serial) {
    ThreadState threadState = threadStates.mine();
    long begun = begins(threadState, serial.askedAt(), serial.whose());
    try {
      serial.run(begun);
    } finally {
      ended(threadState, begun);
    }
    endInterruption();
    if (zoneThreads != null) {
      zoneThreads.after(threadState.taken());
    }
  }

  @Override
  public void runInTurn(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // also one that no signature names
      failedOutside(e);
    }
  }

  @Override
  public void failed(Throwable cause) {
    log.error("zone {}: the slice of an actor's context failed", name, Causes.readable(cause));
  }

  @Override
  public long now() {
    return nanoTime.getAsLong();
  }

  private void offer(Task task, @Nullable ZoneThreads by) {
    if (by == null || rejectedTasks == null) {
      throw noThreads();
    }
    try {
      by.carry(task);
    } catch (RuntimeException | Error e) { // such as no more threads: Vert.x must not see it
      meter.rejected.increment();
      rejectedTasks.add(task, e);
      if (ended.get()) {
        rejectedTasks.offerAgain();
      }
    }
  }

  /** Runs a task, on a thread of the zone. */
  private void runTask(Task task) {
    int nth = one(task);
    if (zoneThreads != null && rejectedTasks != null) {
      rejectedTasks.takeOver();
      zoneThreads.after(nth);
    }
  }

  private void failedOutside(Throwable cause) {
    log.error(
        "zone {}: a task of an actor's context failed outside of a handler",
        name,
        Causes.readable(cause));
  }

  private void alone(Task task) {
    int unused = one(task);
  }

  private IllegalStateException noThreads() {
    return new IllegalStateException("zone %s has no threads of its own".formatted(name));
  }

  /**
   * Runs one task.
   *
   * @return how many the thread has run so far
   */
  private int one(Task task) {
    ThreadState threadState = threadStates.mine();
    long begun = begins(threadState, task.askedAt(), null);
    try {
      task.work(threadState);
    } catch (Throwable e) {
      failedOutside(e);
    } finally {
      Runnable resumed = threadState.resumed();
      if (resumed != null) {
        suspended.computeIfPresent(resumed, (work, times) -> times == 1 ? null : times - 1);
      }
      ended(threadState, begun);
    }
    endInterruption();
    return threadState.taken();
  }

  /** Begins a slice; at no moment is it neither waiting nor busy. */
  private long begins(ThreadState threadState, long askedAt, @Nullable Object whose) {
    long begun = nanoTime.getAsLong();
    threadState.take(begun, whose);
    meter.waits.record(begun - askedAt);
    if (meter.waiting.decrementAndGet() <= options.queue() / 2 && full) {
      tellFull(false);
    }
    return begun;
  }

  /** Clears an interrupt, which was meant for the slice that has ended, not for the next one. */
  private void endInterruption() {
    if (Thread.interrupted()) {
      log.debug("zone {}: a slice was interrupted", name);
    }
  }

  // Reports, each made once.

  /** Returns whether messages of others to the zone's volatile actors are to be refused now. */
  public boolean isShut() {
    return full && options.whenFull() == WhenFull.REJECT;
  }

  private synchronized void tellFull(boolean now) {
    if (full == now) {
      return;
    }
    full = now;
    if (now) {
      log.warn(
          "zone {} is full: more than {} slices wait for its threads; {}",
          name,
          options.queue(),
          options.whenFull() == WhenFull.REJECT
              ? "messages to its volatile actors are refused"
              : "they are still accepted and wait");
    } else {
      log.info("zone {} is not full any more", name);
    }
  }

  // Looking.

  void count(int change) {
    actors.addAndGet(change);
  }

  boolean isFull() {
    return full;
  }

  ZoneStatus status() {
    return report.status(
        zoneThreads == null ? 0 : zoneThreads.threads(), actors.get(), full, nanoTime.getAsLong());
  }

  /** Returns whether that thread is busy with a slice of this zone. */
  boolean has(Thread thread) {
    return threadStates.has(thread);
  }

  /**
   * Looks after the zone; called by the watchdog.
   *
   * @param others threads that are busy, but with no slice of a zone
   */
  void look(List<ThreadState.Busy> others) {
    threadStates.sweep();
    if (zoneThreads != null) {
      long before = now() - Watchdog.EVERY_MS * 1_000_000;
      zoneThreads.look(threadStates.busy().stream().anyMatch(busy -> busy.since() - before < 0));
    }
    if (rejectedTasks != null) {
      rejectedTasks.look();
    }
    report.look(nanoTime.getAsLong(), others);
  }

  // The end.

  /** Ends the threads of a zone that was never used; one that has executors ends with those. */
  void abandon() {
    if (executors.get() == 0 && zoneThreads != null) {
      zoneThreads.end();
    }
  }

  /** Makes an executor, which keeps the zone open. */
  ZoneExecutor executor(ZonePriority priority) {
    executors.incrementAndGet();
    return new ZoneExecutor(this, priority);
  }

  /** Keeps the zone open for the context of an actor. */
  void hold() {
    executors.incrementAndGet();
  }

  /** Releases the zone: the context of an actor is closed. */
  public void leave() {
    released();
  }

  /**
   * Releases the zone once; its threads end after the last release. Those that are still busy are
   * interrupted, except an application's. What its contexts are given later is run all the same:
   * futures of actors complete on them, and whoever completes one, such as Vert.x when it closes an
   * HTTP client, must not fail.
   */
  void released() {
    if (executors.decrementAndGet() == 0
        && zoneThreads != null
        && ended.compareAndSet(false, true)) {
      if (options.kind() != Kind.EXECUTOR) {
        threadStates.busy().forEach(Zone::interrupt);
      }
      if (spares != null) {
        spares.end();
      }
      zoneThreads.end();
      if (rejectedTasks != null) {
        rejectedTasks.offerAgain();
      }
      whenEnded.run();
    }
  }

  private static void interrupt(ThreadState.Busy busy) {
    if (busy.thread() != Thread.currentThread()) {
      busy.thread().interrupt();
    }
  }
}
