package io.callboard.internal.zone;

import io.callboard.zone.ZonePriority;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Executor service that a zone shows to Vert.x, for the contexts of one priority. */
final class ZoneExecutor extends AbstractExecutorService {
  private final Zone zone;
  private final ZonePriority priority;
  private final AtomicBoolean shutDown = new AtomicBoolean();

  ZoneExecutor(Zone zone, ZonePriority priority) {
    this.zone = zone;
    this.priority = priority;
  }

  @Override
  public void execute(Runnable work) {
    zone.accept(priority, work);
  }

  /** Runs {@code work} after all that waits in the zone with this priority had its turn. */
  void yield(Runnable work) {
    zone.yield(priority, work);
  }

  @Override
  public void shutdown() {
    if (shutDown.compareAndSet(false, true)) {
      zone.released();
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutDown.get();
  }

  @Override
  public boolean isTerminated() {
    return shutDown.get();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutDown.get();
  }
}
