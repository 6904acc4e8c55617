package io.callboard.zone;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The threads that work in one zone. */
final class Seats {
  private final Set<Seat> seats = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<@Nullable Seat> mine = new ThreadLocal<>();
  private final boolean passing;

  /**
   * @param passing whether threads come for one slice and may be many: then they are forgotten when
   *     they leave
   */
  Seats(boolean passing) {
    this.passing = passing;
  }

  /** The calling thread's, made if it has none. */
  Seat mine() {
    Seat seat = mine.get();
    if (seat == null) {
      seat = new Seat(Thread.currentThread());
      mine.set(seat);
      seats.add(seat);
    }
    return seat;
  }

  /** The calling thread's; null if it has none. */
  @Nullable Seat here() {
    return mine.get();
  }

  void leave(Seat seat) {
    seat.leave();
    if (passing) {
      mine.remove();
      seats.remove(seat);
    }
  }

  List<Seat.Busy> busy() {
    List<Seat.Busy> busy = new ArrayList<>();
    for (Seat seat : seats) {
      Seat.Busy now = seat.busy();
      if (now != null) {
        busy.add(now);
      }
    }
    return busy;
  }

  /** Forgets threads that have ended. */
  void sweep() {
    seats.removeIf(seat -> !seat.thread().isAlive());
  }

  /** Whether that thread is busy in this zone. */
  boolean has(Thread thread) {
    return seats.stream().anyMatch(seat -> seat.thread() == thread && seat.isTaken());
  }
}
