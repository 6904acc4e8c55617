package io.callboard.internal.rehearsal;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** The virtual time of a rehearsed world: what happens when, decided by the seed alone. */
final class Schedule {
  private record Event(long at, long order, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
  private final SplittableRandom random;
  private long now;
  private long order;

  Schedule(SplittableRandom random) {
    this.random = random;
  }

  long now() {
    return now;
  }

  void at(long time, Runnable action) {
    events.add(new Event(Math.max(now, time), order++, action));
  }

  /** Schedules an action after some ticks, mostly few, seldom many. */
  void soon(Runnable action) {
    at(now + delay(), action);
  }

  long delay() {
    return random.nextInt(20) == 0 ? random.nextInt(400) : 1 + random.nextInt(8);
  }

  /** Runs the next action; returns whether there was one. */
  boolean step() {
    Event next = events.poll();
    if (next == null) {
      return false;
    }
    now = next.at();
    next.action().run();
    return true;
  }
}
