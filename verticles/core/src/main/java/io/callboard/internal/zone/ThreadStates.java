package io.callboard.internal.zone;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** States of the threads that work in one zone. */
final class ThreadStates {
  private final Set<ThreadState> seats = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<@Nullable ThreadState> mine = new ThreadLocal<>();
  private final boolean passing;

  /**
   * @param passing whether threads come for one slice and may be many; they are forgotten when they
   *     leave
   */
  ThreadStates(boolean passing) {
    this.passing = passing;
  }

  /** Returns the state of the calling thread, made if there is none. */
  ThreadState mine() {
    ThreadState threadState = mine.get();
    if (threadState == null) {
      threadState = new ThreadState(Thread.currentThread());
      mine.set(threadState);
      seats.add(threadState);
    }
    return threadState;
  }

  /** Returns the state of the calling thread; null if there is none. */
  @Nullable ThreadState here() {
    return mine.get();
  }

  void leave(ThreadState threadState) {
    threadState.leave();
    if (passing) {
      mine.remove();
      seats.remove(threadState);
    }
  }

  List<ThreadState.Busy> busy() {
    List<ThreadState.Busy> busy = new ArrayList<>();
    for (ThreadState threadState : seats) {
      ThreadState.Busy now = threadState.busy();
      if (now != null) {
        busy.add(now);
      }
    }
    return busy;
  }

  /** Forgets threads that have ended. */
  void sweep() {
    seats.removeIf(threadState -> !threadState.thread().isAlive());
  }

  /** Returns whether that thread is busy in this zone. */
  boolean has(Thread thread) {
    return seats.stream()
        .anyMatch(threadState -> threadState.thread() == thread && threadState.isTaken());
  }
}
