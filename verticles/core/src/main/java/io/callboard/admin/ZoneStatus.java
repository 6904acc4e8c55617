package io.callboard.admin;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of one scheduling zone of a node. A <em>slice</em> is the work of one actor that runs
 * without yielding to others. Queue wait and utilisation cover about the last minute, counters the
 * time since the node's start.
 *
 * @param kind {@code event-loop}, {@code fixed}, {@code elastic}, {@code fork-join}, {@code
 *     virtual} or {@code executor}
 * @param size threads there are now; of an event-loop zone those of the Vert.x; 0 where that is not
 *     known ({@code virtual}, {@code executor})
 * @param maxSize threads there can be
 * @param actors deployed in it
 * @param busy threads that run a slice now
 * @param queued slices that wait for a thread
 * @param full whether more wait than the zone is configured for
 * @param queueWaitP50 of slices, from being asked for to their beginning; exact to its bucket (1, 2
 *     and 5 of each power of ten)
 * @param utilisation share of its threads' time, 0 to 1; null where {@code size} is not known
 * @param slices that were run
 * @param overflowed slices that waited while the zone was full
 * @param rejected times that an executor given in code refused a slice; it was offered again
 * @param blockages times that a thread was blocked
 * @param blocked threads that are blocked now
 * @param queueWait all of them, nanoseconds
 * @param busyTime of all its threads together
 */
public record ZoneStatus(
    String name,
    String kind,
    int size,
    int maxSize,
    int actors,
    int busy,
    int queued,
    boolean full,
    Duration queueWaitP50,
    Duration queueWaitP99,
    @Nullable Double utilisation,
    long slices,
    long overflowed,
    long rejected,
    long blockages,
    List<Blocked> blocked,
    Distribution queueWait,
    Duration busyTime) {
  /**
   * Returns the time for which none of its threads has been free, so that the zone's other actors
   * make no progress. Zero if one is free, or their number is not known.
   */
  public Duration starvedFor() {
    boolean none = maxSize > 0 && size > 0 && blocked.size() >= maxSize;
    return none
        ? blocked.stream().map(Blocked::blockedFor).min(Duration::compareTo).orElse(Duration.ZERO)
        : Duration.ZERO;
  }

  /**
   * A blocked thread: busy with one slice for longer than its zone allows.
   *
   * @param actor whose slice it is; null if it is no message of an actor
   * @param blockedFor so long already
   * @param stack where it is now, the innermost first
   */
  public record Blocked(
      String thread, @Nullable String actor, Duration blockedFor, List<String> stack) {}
}
